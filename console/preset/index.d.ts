// Types of the entry preset.
import type { Plugin, UserConfig } from 'vite'

export interface EntryPresetOptions {
  /** Folder of the entry, default the current one. */
  readonly root?: string
  /** Relative to `root`, default `src/index.tsx`. */
  readonly entry?: string
  /** Relative to `root`, default `dist`. */
  readonly outDir?: string
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
