import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Loopback, link-local and multicast networks, services with credentials of a cloud, and addresses within others. */
const NEVER = listOf([
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['168.63.129.16/32', '100.100.100.200/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
  ...['::/128', '::1/128', 'fe80::/10', 'ff00::/8'],
  ...['::ffff:0:0/96', '::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
])
/** Networks of a house or a company. */
const PRIVATE = listOf([
  ...['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15'],
  ...['fc00::/7', 'fec0::/10'],
])

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

const holds = (list: BlockList, address: string): boolean => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

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
  // On some systems a list of IPv4 also holds the mapped addresses, so these are asked first.
  if (holds(NEVER, address)) return 'its address is local'
  return !allowsPrivate && holds(PRIVATE, address) ? 'its address is in a private network' : undefined
}
