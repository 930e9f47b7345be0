// For tests of adapters: the contract that every one of them must keep, and a store that fails when told to.
export { adapterContract } from './adapter-contract.js'
export { fickleStore } from './fickle-store.js'
export type { AdapterContract, AdapterRig } from './rig.js'
