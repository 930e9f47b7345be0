// The state of the code that `mynah dev` watches.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Time } from './common.js'

/** A place in a file of the host's folder. */
export const CodePlace = Type.Object({
  file: Type.String({ description: 'Relative to the configuration file', examples: ['plugins/greeter.js'] }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type CodePlace = Static<typeof CodePlace>

/** A mistake in the code that `mynah dev` watches. */
export const DevFailure = Type.Object({
  part: Type.Enum(['code', 'types', 'page'], {
    description:
      '`code`: a plugin cannot be loaded or does not start. `types`: it does not fit its types. `page`: its page cannot be built',
  }),
  plugin: Type.Optional(Type.String({ examples: ['greeter'] })),
  message: Type.String(),
  location: Type.Optional(CodePlace),
  at: Time,
})
export type DevFailure = Static<typeof DevFailure>

/** The state of the types or the pages: `off` where the project has none, or no tool for them. */
export const DevCheck = Type.Enum(['off', 'running', 'passed', 'failed'])
export type DevCheck = Static<typeof DevCheck>

/** The state of the code that `mynah dev` watches. */
export const DevStatus = Type.Object({
  failures: Type.Array(DevFailure, {
    maxItems: 50,
    description: 'Failures that are not fixed, the newest part first',
  }),
  total: Type.Integer({ description: 'How many failures there are, also those that are not listed' }),
  types: DevCheck,
  page: DevCheck,
})
export type DevStatus = Static<typeof DevStatus>

/** The method and the event of `mynah dev`. A host under `mynah start` has neither. */
export const development = contract({
  rpc: {
    'dev:status': {
      summary: 'The failures of the code that `mynah dev` watches',
      reads: true,
      params: Type.Object({}),
      data: DevStatus,
    },
  },
  events: {
    'dev:changed': {
      summary: 'A failure of the watched code is new or fixed, or a check began or ended',
      data: DevStatus,
    },
  },
})
