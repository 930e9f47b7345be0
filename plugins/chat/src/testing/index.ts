// For tests of adapters: the contract that every one of them must keep, a store that fails when told to, and a server that talks nonsense.
export { adapterContract } from './adapter-contract.js'
export { fickleStore } from './fickle-store.js'
export { LeapingClock } from './leaping-clock.js'
export { Chance, mutated, noise, nonsense } from './nonsense.js'
export type { AdapterContract, AdapterRig } from './rig.js'
