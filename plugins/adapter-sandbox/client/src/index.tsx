// The console entry: one page on which a person plays the users of a chat platform.
import type { HostApi, Register } from '@mynah/console/entry'
import { SandboxPage } from './page.js'
import { place } from './place.js'
import './page.css'

export const register: Register = (host: HostApi) => {
  host.addRoute({ ...place, name: host.t(place.name), element: () => <SandboxPage host={host} /> })
}
