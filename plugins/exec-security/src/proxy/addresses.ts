import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Loopback, link-local and multicast networks, services with credentials of a cloud, and addresses within others. */
const NEVER = listOf([
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['168.63.129.16/32', '100.100.100.200/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
  ...['::/128', '::1/128', 'fe80::/10', 'ff00::/8'],
  ...['::ffff:0:0/96', '::ffff:0:0:0/96', '::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
])
/** Networks of a house or a company. */
const PRIVATE = listOf([
  ...['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15'],
  ...['fc00::/7', 'fec0::/10'],
])

/** Networks of one family each: a list that holds the mapped IPv4 addresses would hold all of IPv4. */
interface Networks {
  readonly ipv4: BlockList
  readonly ipv6: BlockList
}

function familyOf(address: string): keyof Networks {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

function listOf(networks: readonly string[]): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    lists[familyOf(address)].addSubnet(address, Number(bits), familyOf(address))
  }
  return lists
}

const holds = (networks: Networks, address: string): boolean =>
  networks[familyOf(address)].check(address, familyOf(address))

/** The reason of a refusal that `private: true` of a listed host undoes. */
export const IN_PRIVATE_NETWORK = 'its address is in a private network'

/** Returns the addresses of this machine. */
export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address))

/**
 * Returns why a command may not connect to an address, or undefined.
 *
 * @param allowsPrivate whether the owner has listed the host as one of a private network
 * @param own the addresses of this machine, which no command may reach
 */
export function addressProblem(address: string, allowsPrivate: boolean, own: readonly string[]): string | undefined {
  if (own.includes(address)) return 'it is this machine'
  if (holds(NEVER, address)) return 'its address is local'
  return !allowsPrivate && holds(PRIVATE, address) ? IN_PRIVATE_NETWORK : undefined
}
