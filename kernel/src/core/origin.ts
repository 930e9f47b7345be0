/** Where a plugin's module comes from. */
export interface Origin {
  /** URL of the module. */
  readonly url: string
  /** Name of the file. */
  readonly filename: string
  /** Path of the file, or the name of its package. */
  readonly filePath: string
  /** Version of its package. */
  readonly version?: string
}
