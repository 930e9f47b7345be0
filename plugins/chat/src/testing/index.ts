// For tests of adapters: the contract that every one of them must keep, a store that fails when told to, and a server that talks nonsense.
export { adapterContract } from './adapter-contract.js'
export { failingStore } from './failing-store.js'
export { SkippingClock } from './skipping-clock.js'
export { SeededRandom, mutate, randomBytes, randomJson } from './random-input.js'
export type { AdapterContract, AdapterRig } from './rig.js'
export { messageStoreContract, type MessageStoreRig } from './message-store-contract.js'
