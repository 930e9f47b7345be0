// Roles, tools, sub-agents, skills, memory, files of the owner, and the shell.
import type { Sentences } from './sentences.js'

export const TOOLS: Sentences = {
  'plugins/agent/src/test/specification.test.ts': {
    'a tool that asks for ${role} runs for such a sender, and the call has the role': [
      'roles are user, group_admin, group_owner, trusted and master',
      'the roles of the sender are those of the call',
    ],
    'a tool does not run for a sender without one of its roles': ['requiredAnyRole is checked before a tool runs'],
    'there are at most 12 in addition to the permanent ones by default': ['permanent tools do not count in maxTools'],
    'the tools that fit the message by their words come first': ['tools are selected by role and by words'],
    'with toolSearch the main agent has orchestration tools only': ['toolSearch leaves tools that start tasks'],
    'one search finds at most 8 tools by default': ['a search finds 8 tools'],
  },
  'plugins/agent/src/tools/selection.test.ts': {
    'leads to a call in the next step, however many were found before': [
      'what a search finds can be called in the next step',
    ],
    'takes tools that were called lately before useful ones': ['places are filled by use'],
    'prefers the tools that a user has called, in the next conversation': [
      'places are filled by what this user has called',
    ],
    'hides tools that are disabled for the model from search and calls': [
      'disabled tools are neither offered nor found',
    ],
  },
  'plugins/agent/src/tools/access.test.ts': {
    'lets a group ${platformRole} call tools for ${role}, in that group only': [
      'group roles reach tools in their group',
    ],
    'offers and finds only what the sender may call': ['what a sender may not call is neither offered nor found'],
  },
  'plugins/agent/src/tools/long-results.test.ts': {
    'shows both ends of long results of any tool, and stores the whole': ['long results have both ends, and a file'],
  },
  'plugins/agent/src/tools/questions.test.ts': {
    'is answered by a button, with the whole choice': ['a button answers a question'],
  },
  'plugins/mcp/src/offered.system.test.ts': {
    'asks for trusted or master, whatever a server says of its tools': ['tools of servers need trusted or master'],
    'takes the configured roles at once, but opens no tools that say that they change things': [
      'roles of a server may open it, and its annotations raise',
    ],
  },
  'plugins/toolbox/src/unknown-tools.test.ts': {
    'warns of names in ai.toolbox.roles that no tool has, with the nearest one, and applies the others': [
      'ai.toolbox.roles warns of a tool that does not exist',
    ],
  },
  'test/src/agent-roles.system.test.ts': {
    'takes the roles of any tool by its full name': ['ai.toolbox.roles takes any tool'],
    'keeps the server that stores the memory within ai.memory.scope': ['ai.memoryMcp is bound to the scope'],
  },
  'test/src/agent-specification.system.test.ts': {
    'the agent always has the tools that start tasks, search tools and ask': ['four tools are permanent'],
    'generate_image is not offered by itself, and a search says that tasks have it': ['pictures are made by tasks'],
    'a sub-agent that draws has generate_image, and none of the tools that start others': [
      'drawing tasks have generate_image',
      'sub-agents cannot start others, search, or activate skills',
    ],
    'a task has the base tools of workers, and those that its words find': [
      'workers have base tools, and tools by words',
    ],
    'skillInstructionMaxChars cuts the instructions of a skill for models of any size': [
      'skillInstructionMaxChars overrides the limit by size',
    ],
    'user_profile keeps, shows and deletes values of a user, which stand in the next conversation': [
      'user_profile gets, sets and deletes, and is in the prompt',
    ],
  },
  'plugins/tasks/src/runner.test.ts': {
    'runs a task as a sub-agent without the conversation, and returns its result to the turn': [
      'spawn_task runs with a context of its own',
    ],
    'sends a result to the chat when the turn has stopped waiting': ['subagentTurnWaitMs bounds the wait of a turn'],
    'sends the result of a deferred task to the chat': ['run_deferred_task sends its result by itself'],
    'offers workers their tools and matching ones, never the five forbidden ones': [
      'five tools are never those of workers',
    ],
    'runs a worker with the roles of the sender': ['workers have the origin and the roles of the sender'],
    'uses the configured base tools and rounds': ['workerBaseTools and maxSubagentIterations are configured'],
    'runs a task as any configured agent': ['spawn_task takes an agent'],
  },
  'plugins/cron/src/followup.test.ts': {
    'sends a follow-up once after a restart, and replaces the pending one': [
      'a follow-up survives a restart',
      'a new follow-up cancels the pending one of its conversation',
    ],
  },
  'plugins/cron/src/tools.test.ts': {
    'adds a task with cron_add, delivers its result in the chat, lists and removes it': [
      'cron_add has a channel for its results',
    ],
  },
  'plugins/toolbox/src/web.system.test.ts': {
    'sends the picture and keeps it': ['generate_image takes a provider and a prompt'],
    'cuts a page at 50 KB, names binary content, and reports refusals': ['text of a page is cut at 50 KB'],
  },
  'plugins/ai/src/web/web.test.ts': {
    'takes addresses of http and https only': ['only http and https are fetched'],
    'connects to checked addresses only': ['the address is checked after it was looked up, and pinned'],
    'checks every redirect, and follows a few': ['redirects are checked as well'],
    'refuses every spelling of this machine': ['this machine and private networks are refused'],
    'allows configured hosts, with or without their port': ['ai.web.allowHosts names exceptions'],
    'limits the body, compressed or not': ['a body has 2 MB'],
  },
  'plugins/skills/src/skills.test.ts': {
    'are listed by name up to the limit, best matches first': ['maxSkills are listed, chosen by words'],
    'return their instructions': ['an active skill’s body is the result of activate_skill'],
    'show a small model their quick actions first, cut to its limit': ['small models have quick actions first'],
    'are added, changed and removed while the host runs': ['the folder of skills is watched'],
    'fill their template once, and do not fill inserted values': ['a tool file is a template with parameters'],
    'run their handler': ['a tool file may name a handler'],
    'are agents with their own prompt': ['a preset file is an agent, and its body the prompt'],
    'are three more than those ${what}': ['three more rounds where skills can be activated'],
  },
  'plugins/skills/src/install.test.ts': {
    'shows the hash, writes the confirmed bytes, and offers the skill at once': [
      'install_skill loads a file into the folder',
    ],
    'is an approval of the kind skill where there are approvals, bound to the bytes': ['install_skill is an approval'],
    'requires the role master': ['install_skill is for masters'],
  },
  'plugins/memory/src/memory.test.ts': {
    'are in the system prompt in order, without missing ones': [
      'SOUL, AGENTS and TOOLS have this order, missing ones are no error',
    ],
    'are cut to 8, 16 and 8 KB, and MEMORY to the rest of 40': ['files have 8, 16 and 8 KB, together 40'],
    'are reloaded by /context clear, which keeps the conversation': ['the cache of files can be cleared'],
    'are changed by masters only, from the next conversation on': ['AGENTS.md is written by a tool of masters'],
    'stores notes of the owner in files and in the next system prompt': [
      'memory is in a file, and notes in one of the day',
    ],
    'is searched by words over all days, also in Chinese': ['recall searches all notes'],
    'is stored on a configured server, and in files while the server is unavailable': [
      'ai.memoryMcp is used in place of files',
    ],
    'belongs to one user and is sent after a change${database': ['profiles are in memory or in the database'],
  },
  'plugins/exec-security/src/config.test.ts': {
    'denies everything by default': ['deny forbids all commands'],
    'follows preset, list and modes': ['preset and list are joined, and modes decide about others'],
    'knows sensitive subcommands of the platform’s command line': [
      'the command line of the platform has sensitive subcommands',
    ],
    'says that execAsk has no effect': ['execAsk is obsolete'],
  },
  'plugins/exec-security/src/policy/presets.test.ts': {
    'pass under ${name}: ${commands.length}, and ask about ${rest} whose text is not known': [
      'readonly, network and development are cumulative',
    ],
  },
  'plugins/exec-security/src/policy/blacklist-check.test.ts': {
    'evaluateCommand: blacklist': [
      'sudo, su, eval, exec, dd, mkfs and gdb are refused in every mode',
      'assignments before a command, and harmless wrappers, are stripped',
    ],
  },
  'plugins/exec-security/src/policy/differential.system.test.ts': {
    'finds every command that bash runs in ${PROGRAMS} generated programs': [
      'compound commands are split, and each part is checked',
    ],
  },
  'plugins/exec-security/src/policy/ordinary.test.ts': {
    'that only read, without any list': ['commands that only read pass without a list'],
  },
  'plugins/exec-security/src/policy/rules.test.ts': {
    'covers one whole subcommand': ['a rule is matched with the whole subcommand'],
    'yields to the blacklist, to deny, and to syntax that is not understood': ['no approval overrides the blacklist'],
    'passes without a list if the subcommand is not sensitive': ['harmless subcommands of the platform pass'],
    'asks in every approval mode if the subcommand is sensitive': ['sensitive ones need the owner or a rule'],
  },
  'plugins/exec-security/src/chat/owner-chats.system.test.ts': {
    'lets a command run once after the approval': ['/approve with an id answers once'],
    'ignores other users and groups': ['approvals are for the owner, in private'],
    'gives sub-agents their own mode': ['sub-agents have a mode of their own'],
  },
  'plugins/exec-security/src/approvals/permanent-approvals.system.test.ts': {
    'approves everything on one endpoint after /approve always bash': ['/approve always bash holds for the endpoint'],
    'approves everything after /approve always, but only while a command waits': [
      '/approve always needs a waiting command',
    ],
    'approves subcommands that match a rule as a whole': ['/approve rule adds a rule'],
    'revokes one rule or everything': ['/approve revoke takes one rule, or everything'],
    'keeps approvals over a restart': ['approvals are kept in a file of version 2'],
  },
  'plugins/exec-security/src/approvals/approval-service.system.test.ts': {
    'expires requests after 30 minutes': ['requests wait for 30 minutes'],
    'binds an approval to text, origin, the real folder and what it adds': ['an approval is bound to what was asked'],
    'takes the kinds that plugins have registered, and no others': ['plugins register kinds of approvals'],
  },
  'plugins/toolbox/src/bash.system.test.ts': {
    'waits for the owner, notifies the chat, and continues with the output': [
      'an unknown command asks the owner, and runs after the approval',
      'the marker is not shown to people',
    ],
    'refuses forbidden commands for every role': ['what is forbidden runs for no role'],
    'requires a role': ['bash is for trusted and master'],
  },
  'plugins/toolbox/src/files.system.test.ts': {
    'read files from users and do not write them': ['documents of people can be read'],
    'reject every path that leads out of the folder': ['tools stay in their folder'],
  },
}
