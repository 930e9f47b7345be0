// Runs axe on a page.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{
    violations: readonly {
      readonly id: string
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
    }[]
  }>
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Returns the source of axe, to be evaluated in a page once. */
export const axeSource = (): Promise<string> =>
  readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Findings as text; the page has evaluated {@link axeSource}. */
export const findings = (page: Page): Promise<string[]> =>
  page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values } })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
    )
  }, tags)
