import type { Command } from '@mynah/plugin-chat/api'
import type { CommandServices } from './access.js'
import { conversationCommands } from './conversation.js'
import { modelCommands } from './model.js'
import { operatorCommands } from './operator.js'
import { pairingCommands } from './pairing.js'
import { turnCommands } from './turns.js'

/** Returns the commands of the agent. */
export const agentCommands = (services: CommandServices): Command[] => [
  ...conversationCommands(services),
  ...turnCommands(services),
  ...modelCommands(services),
  ...operatorCommands(services),
  ...pairingCommands(services),
]
