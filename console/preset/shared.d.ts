// Types of shared.js.
export declare const sharedModules: Readonly<Record<string, string>>
