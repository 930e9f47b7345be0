// Types of the entry preset.
import type { RouteMeta } from '@mynah/sdk'
import type { Plugin, UserConfig } from 'vite'

/** A name in one language, or in both. */
export type EntryText = string | { readonly en: string; readonly 'zh-CN'?: string }

/** Declares what an entry registers, before its module is loaded. */
export interface EntryManifest {
  readonly routes?: readonly {
    readonly path: string
    readonly name: EntryText
    readonly icon?: string
    readonly parent?: string
    readonly meta?: RouteMeta
  }[]
  readonly tools?: readonly {
    readonly name: EntryText
    readonly id?: string
    readonly icon?: string
    readonly parent?: string
    readonly path?: string
  }[]
}

export interface EntryPresetOptions {
  /** Folder of the entry, default the current one. */
  readonly root?: string
  /** Relative to `root`, default `src/index.tsx`. */
  readonly entry?: string
  /** Relative to `root`, default `dist`. */
  readonly outDir?: string
  /**
   * Pages and tools, written to `manifest.json` in the output folder. The console then shows them in the rail at
   * once and loads
   * the module when one of them is opened. `addRoute({ path, element })` takes name and position from here.
   */
  readonly manifest?: EntryManifest
}

/**
 * The Vite configuration of a console entry.
 *
 * @example
 * // client/vite.config.js
 * import { entryPreset } from '@mynah/console/entry-preset'
 * export default entryPreset({ root: import.meta.dirname })
 */
export declare function entryPreset(options?: EntryPresetOptions): UserConfig

/** Fails a build in which React or Preact got bundled; part of {@link entryPreset}. */
export declare function noOwnRuntime(): Plugin
