import type { HomeConfig } from '../config.js'

const CONFIRMED_DOMAINS = ['lock', 'alarm_control_panel', 'valve']
/** Device classes of covers that may move without confirmation. */
const HARMLESS_COVERS = new Set(['awning', 'blind', 'curtain', 'damper', 'shade', 'shutter', 'window'])

/** Returns whether a service needs the owner's confirmation. `deviceClass` is that of the entity, if known. */
export function mustConfirm(
  { confirmServices }: HomeConfig['policy'],
  domain: string,
  service: string,
  deviceClass: unknown,
): boolean {
  if (confirmServices)
    return confirmServices.some(
      (pattern) => pattern === domain || pattern === `${domain}.*` || pattern === `${domain}.${service}`,
    )
  if (CONFIRMED_DOMAINS.includes(domain)) return true
  // A cover of unknown class may be a garage door.
  return domain === 'cover' && !(typeof deviceClass === 'string' && HARMLESS_COVERS.has(deviceClass))
}
