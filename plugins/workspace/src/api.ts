export type { SchemasByPath } from './config/secrets.js'

/** Functions that read and change texts of the configuration file. */
export type ConfigText = typeof import('./config/text.js')

/** Loads {@link ConfigText}, whose parsers are slow to load. */
export const configText = (): Promise<ConfigText> => import('./config/text.js')
