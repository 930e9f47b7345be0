// Names that the build replaces.

/** Whether this is the demo. A constant, so that unused code is removed from the build. */
declare const __DEMO__: boolean
/** The one host of the demo. */
declare const __DEMO_HOST__: { readonly base: string; readonly token: string }
