// Which services of the home wait for the owner.
import type { HomeConfig } from '../config.js'

const DEFAULT = ['lock', 'alarm_control_panel', 'valve']
/** Covers of which nobody minds that they move. */
const HARMLESS_COVERS = new Set(['awning', 'blind', 'curtain', 'damper', 'shade', 'shutter', 'window'])

/** Whether a service of an entity's domain must be confirmed; `deviceClass` is that of the entity, where it is known. */
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
  if (DEFAULT.includes(domain)) return true
  // A cover whose kind is not known may be a garage.
  return domain === 'cover' && !(typeof deviceClass === 'string' && HARMLESS_COVERS.has(deviceClass))
}
