// Looks for rings after each commit that hangs entries in: the next read of such a session would never end.
import { noRing, ringsOf } from '../oracle/no-ring.mjs'

export function watchForRings(world) {
  let isChanged = false
  world.watch(({ verb, table }) => {
    if (verb === 'UPDATE' && table === 'agent_entry') isChanged = true
    if (verb !== 'COMMIT' || !isChanged) return
    isChanged = false
    const [ring] = ringsOf(world.file.rows('SELECT session, n, parent FROM agent_entry'))
    if (ring !== undefined) world.stop({ sentence: noRing.name, text: `the session ${ring} has a ring` })
  })
}
