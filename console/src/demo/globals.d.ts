// What the build puts in the place of these names.

/** Whether this is the demo. A name and not a module, so that what is not of this build is left out of it. */
declare const __DEMO__: boolean
/** The one host of the demo. */
declare const __DEMO_HOST__: { readonly base: string; readonly token: string }
