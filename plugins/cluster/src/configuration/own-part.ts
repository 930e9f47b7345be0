// The part of the configuration that each host has for itself: its name.
import { isRecord } from '@mynah/contract'
import { configText, type ConfigText } from '@mynah/plugin-workspace/api'

const KEY = 'cluster'

const sectionIn = ({ parseYaml }: ConfigText, text: string): Readonly<Record<string, unknown>> => {
  const { [KEY]: section } = parseYaml(text)
  return isRecord(section) ? section : {}
}

/**
 * Returns a text of another host with the name of this one, `cluster.host`.
 *
 * @param own any text of this host
 * @throws WireError `conflict` where the section cannot be changed in place
 */
export async function withOwnName(text: string, own: string): Promise<string> {
  const tools = await configText()
  const { setSection } = tools
  const [theirs, { host }] = [sectionIn(tools, text), sectionIn(tools, own)]
  if (theirs['host'] === host) return text
  if (host !== undefined) return setSection(text, [KEY, 'host'], host)
  const { host: _, ...others } = theirs
  return setSection(text, [KEY], others)
}
