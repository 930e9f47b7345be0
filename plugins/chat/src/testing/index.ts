// For tests of adapters: the contract that every one of them must keep.
export { adapterContract } from './adapter-contract.js'
export type { AdapterContract, AdapterRig } from './rig.js'
