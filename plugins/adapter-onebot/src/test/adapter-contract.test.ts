import { adapterContract } from '@mynah/plugin-chat/testing'
import { rig } from './rig.js'

adapterContract({ name: 'onebot in a group, forward', start: () => rig('forward', false) })
adapterContract({ name: 'onebot in a group, reverse', start: () => rig('reverse', false) })
adapterContract({ name: 'onebot in private, http', start: () => rig('http', true) })
