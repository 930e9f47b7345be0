// The scheduler and the assistant.
import type { Sentences } from './sentences.js'

export const JOBS: Sentences = {
  'plugins/cron/src/heartbeat.test.ts': {
    'runs while the list has open items, and reports to the owner': ['HEARTBEAT.md with content runs one prompt'],
    'removes the job without a file, and stays paused when the file returns': ['without the file nothing runs'],
  },
  'plugins/cron/src/engine/runner.test.ts': {
    'gives a run the roles that its creator has now': ['a job has the roles that its creator has now'],
    'skips a run without a plugin for its action, and one that its action skips': [
      'without an agent a run is skipped, with the reason',
    ],
    'runs a handler with checked arguments': ['an action is a prompt or a handler'],
  },
  'plugins/cron/src/engine/approval.test.ts': {
    'lets a run wait until the owner approves it in the chat, once per run': [
      'policy.approval lets each run wait for the owner',
    ],
  },
  'plugins/cron/src/engine/run-limits.test.ts': {
    'fails after an hour by default': ['cron.runTimeout is an hour'],
    'has the limit that its handler names, and none where that is 0': ['a kind of work may name its limit'],
  },
  'plugins/cron/src/engine/delivery.test.ts': {
    'is whole, while the row keeps a part with a mark (${database': ['people get a result whole, the row keeps a part'],
    'that fails makes the run undelivered, and notifies the owner (${database': [
      'a result that did not arrive is undelivered',
    ],
  },
  'plugins/cron/src/rpc.test.ts': {
    'runs an added task at its time and records the run (${durable': [
      'a job runs at its time, and its run is traceable',
    ],
    'runs a paused task now with jobs:run': ['jobs:run runs outside of the schedule'],
    'refuses an expression without a next run in cron:preview and cron:add': ['invalid expressions are refused'],
  },
  'plugins/cron/src/commands.test.ts': { 'runs a job for a master': ['/job run is for masters'] },
  'plugins/agent/src/job-action.test.ts': {
    'answers in the chat of its results, and remembers its own runs': ['a job has a session of its own'],
    'has the rights of its creator': ['a run has the rights of its creator'],
    'is not tried again when the provider refuses the key': ['failures that stay are not repeated'],
  },
  'plugins/assistant/src/events.test.ts': {
    'accepts an event with a stored run, and runs it (${database': ['an event is queued, executed and traceable'],
    'requires a token, and accepts the events token for events only': [
      'a wrong token is 401, and a token of events opens nothing else',
    ],
    'answers 404 unless both switches are on': ['without the feature events are 404'],
    'triggers a registered job with the roles of its creator': ['an event may name a registered job'],
    'accepts allowed sources only, up to the rate limit': ['allowedSources and rateLimit hold'],
    'does nothing without assistant.enabled': ['without assistant.enabled nothing changes'],
    'refuses incomplete, contradictory and forbidden events': ['handlers are refused to events'],
  },
  'plugins/assistant/src/job-files.test.ts': {
    'imports jobs once, and reports jobs without notify': [
      'old files are imported once, and a job without notify is refused',
    ],
    'writes the file after each change with legacyDualWrite, and does not import it again': [
      'legacyDualWrite writes both',
    ],
  },
  'plugins/assistant/src/home/tools.test.ts': {
    'lists, reads and changes entities by alias': ['tools of the home take aliases'],
    'hides entities that are not exposed, and refuses other targets': ['entities that are not exposed stay hidden'],
    'calls a lock only after the owner’s confirmation': ['locks need an approval'],
    'asks for the configured services instead of the default ones': ['confirmServices are configured'],
    'works with a home behind an MCP server': ['the home may be behind a server'],
  },
  'plugins/assistant/src/profile.test.ts': {
    'puts the profile of the configuration before the file, without repeating headings': [
      'profile and file are merged',
    ],
    'is shown to masters and trusted users, from a file in the folder of the configuration only': [
      'a profile is of the owner',
    ],
  },
}
