// Types of shared.js.
export declare const UI_VERSION: number
export declare const versionedUi: string
export declare const sharedModules: Readonly<Record<string, string>>
