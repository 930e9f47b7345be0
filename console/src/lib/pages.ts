import type { ComponentType } from 'preact'
import type { MessageKey } from '../locales/en.js'
import type { IconName } from '../ui/icon.js'

export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}

export interface BuiltInPage {
  readonly path: string
  readonly name: MessageKey
  readonly load: () => Promise<ComponentType<PageProps>>
  /** Position in the rail. Detail pages have none. */
  readonly menu?: {
    readonly group: string
    readonly order: number
    readonly icon: IconName
    /** Second key after `g`. */
    readonly key: string
    /** The operation or method that the page needs. */
    readonly needs?: string
  }
  /** Path of the page above, for the breadcrumb. */
  readonly above?: string
  readonly fullWidth?: boolean
}

let list: readonly BuiltInPage[] = []

/** Returns all built-in pages. */
export const pages = (): readonly BuiltInPage[] => list

/** Sets the built-in pages. Called once, before anything is shown. */
export function setPages(all: readonly BuiltInPage[]): void {
  list = all
}

/** Where one begins. */
export const startPage = __DEMO__ ? '/sandbox' : '/dashboard'
