import { WireError } from '@mynah/contract'
import type { SharedConfiguration } from '@mynah/kernel'

const refuse = (): never => {
  throw new WireError(
    'conflict',
    'The hosts do not share their configuration (cluster.config: file): edit the file of each host and run mynah reload',
  )
}

/** Hosts of which each has a file of its own. */
export const ownFile: SharedConfiguration = {
  publish: () => Promise.resolve().then(refuse),
  follow: () => Promise.resolve(undefined),
  compare: () => Promise.resolve().then(refuse),
  push: () => Promise.resolve().then(refuse),
}
