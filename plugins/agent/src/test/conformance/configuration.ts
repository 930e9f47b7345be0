// Providers, agents, sessions, context, and the keys of the section `ai`.
import type { Sentences } from './sentences.js'

export const CONFIGURATION: Sentences = {
  'plugins/ai/src/config.test.ts': {
    'is read from a file with variables, and mistakes name its lines': [
      'values of the section ai may be variables of the environment',
    ],
    'names each mistake with its path and the closest match': [
      'sdk is required, and is one of six families, of which one is for relays and servers of one’s own',
    ],
    'refuses each removed field, and says what to write': ['api, preset, spec and driver in a provider end the start'],
    'accepts keys of other plugins, enabled or not': ['keys of our plugins that are not enabled warn'],
  },
  'test/src/agent-specification.system.test.ts': {
    'below ai warn, and never make the section of the plugin ai invalid': [
      'no key of a plugin that is not enabled makes a section invalid',
    ],
    'defaults of the configuration': [
      'the context has a threshold of 50 messages, keeps 10, and sends at most 100',
      'a turn has two minutes, and tools before it 15 s',
      '5 skills and 12 tools are in a request',
      'the window is 128,000 tokens, of which the conversation has half',
      'the mood of messages is noticed by default',
      'shell commands are denied by default, with the preset custom, an empty list, and no approval',
      'the size of models and the length of instructions are inferred by default',
      'sub-agents have 25 rounds, and are waited for five minutes',
      'no further tools are given to sub-agents by default',
      'phases are not logged by default',
      'compaction is on, automatic, and keeps 20,000 tokens and two messages',
      'base tools of workers are bash, read_file and web_search',
      'a search finds at most 8 tools, and toolSearch is off',
      'late messages are taken one at a time by default',
      'the prefix is ai:, mentions and private messages are answered',
      'the first part of an answer has a minute',
      'sound is transcribed by default',
      'the memory belongs to the owner by default',
      'pictures have a watermark by default',
    ],
    'an agent with mcpServers has the tools of these servers, and finds and calls those of no other': [
      'mcpServers narrows the servers of an agent, and absent means all',
    ],
  },
  'plugins/ai/src/registry/discover.test.ts': {
    'asks a compatible server for its list, with the key': [
      'apiKey is the credential of a provider, sent to its baseUrl',
      'models that are not configured are discovered at the address of the provider',
    ],
    'is found when only a host is configured': ['host is the address of a local runtime'],
    'asks for the details of new models only, several at once': [
      'a local runtime lists its models, and then their details',
    ],
    'is off when the models are configured': ['configured models are the whitelist, which a discovery does not change'],
    'keeps its results for a start without requests': ['discovered models are kept in a file of the data folder'],
    'refuses no model before it has a list': ['an empty whitelist blocks no model before the first discovery'],
    'is one request for all callers': ['models are discovered once for all who wait'],
  },
  'plugins/ai/src/registry/model-lists.system.test.ts': {
    'is requested again when its time is in the future': ['a list is discovered again when it is too old'],
  },
  'plugins/ai/src/registry/score.test.ts': {
    'is one scale from 0 to 100': ['the score of a model is between 0 and 100'],
    'is 40 to 60 below eight billion parameters': ['models below eight billion parameters have 40 to 60'],
    'grows with the size': ['larger models have a higher score'],
    'grows with the version, within a family': ['newer models have a higher score'],
    'orders the best first, of equal ones the newer': ['the first model of a provider is the best one'],
  },
  'plugins/ai/src/providers/prompt.test.ts': {
    'send the window to the native interface of ollama, and nothing larger than it': [
      'contextWindow is the parameter of the provider, num_ctx of a local runtime',
    ],
  },
  'plugins/ai/src/providers/wire.test.ts': {
    'asks for whole answers when the model does not stream': ['the capability streaming decides how is asked'],
  },
  'plugins/ai/src/candidates.test.ts': {
    'are the best model of the first provider, its others, and the best of each other provider': [
      'main without a model is the best of the first provider that has one',
      'candidates after the first are those of its provider, then the others in the order of the file',
    ],
    'find the provider of a model without an alias, also with a colon in its name': [
      'a model without a provider is searched in the order of the file',
    ],
    'follow a configured fallback': ['fallback replaces the other candidates, and an empty one switches them off'],
    'leave out models that are known to lack a capability': ['pictures are read by models that see'],
  },
  'plugins/ai/src/fallback/ask-with-fallback.test.ts': {
    'refuses a model that is not on the list, with the nearest name': ['a model outside of the whitelist is refused'],
    'asks the next model at once after a ${status}': ['a limited or busy model leads to the next candidate'],
    'pauses a model for the time of its provider, and reports it once': ['a fallback is a line of the log'],
  },
  'plugins/ai/src/media/calls.test.ts': {
    'are filled in by the configuration and overridden by the request': [
      'imageGeneration of a provider has model, size, suffix, quality, ratio and resolution',
    ],
    'request a watermark only if configured': ['watermarkEnabled holds for all providers'],
    'use the configured route of an account': ['accountId is the account of an inference route for pictures'],
    'come from the families that support them': ['the default model for pictures is one of the family'],
    'name the families without support': ['families without pictures say so'],
  },
  'plugins/ai/src/budget.test.ts': {
    'limits every call, is reported once, and ends with the day': [
      'a budget of tokens holds for every call of the host',
    ],
    'may limit costs': ['a budget of costs holds for every call of the host'],
  },
  'plugins/ai/src/tokens/estimate.test.ts': {
    'of a call are what the provider counted, or an estimate without a price': [
      'costs are never guessed without prices',
    ],
  },
  'plugins/agent/src/test/specification-wire.test.ts': {
    'an agent whose match has images answers pictures, whatever its name is': ['an agent may match media of a message'],
    'an agent named vision answers pictures without a match': ['the agent vision reads pictures'],
    'of several agents that match, that with the highest priority answers': ['the highest priority comes first'],
    'the agent main answers messages without media': ['the agent main has the conversation'],
    'a model that is not among those of its provider is not asked': ['the model of an agent is one of its provider'],
    'those of a model count more than those of a pattern of providers, in which * is any text': [
      'modelHarness has patterns of providers, and settings of models that count more',
      'a model is named alone or with its provider',
    ],
    'objects are merged, and lists are replaced': ['settings are merged deeply, but lists replace each other'],
    'at most 100 messages of a conversation in memory are sent by default': ['maxHistory is 100 in memory'],
    'maxHistory bounds the messages by a cut that stays, so that requests go on extending each other': [
      'bounds of messages are cuts that are stored, and no windows that slide',
    ],
    'maxRecentMessages bounds them as well, but not where ai.context is disabled': [
      'maxRecentMessages bounds what follows a summary',
    ],
    'a conversation in memory ends after 24 hours without a message by default': ['expireMs is 24 hours in memory'],
    'sessionIdleArchiveMs archives a conversation, and 0 never does': ['an idle conversation is archived, 0 is never'],
    'without ai.context there is none, however many messages there are': ['ai.context can be disabled'],
    'by default there is one after 50 messages, and the 10 newest ones stay': [
      'above the threshold all but keepAfterSummary become a summary',
    ],
    'maxContextTokens bounds its length': ['maxContextTokens bounds the summaries that are carried along'],
    'a conversation that fills half of the window is compacted, and contextTokens is an unknown window': [
      'near the limit of the window a summary is made by itself',
    ],
    'a full window leads to none where compaction.${key} is off': ['compaction and its automatic can be disabled'],
    'keepRecentTokens of the newest messages stay, and never fewer than minKeepCount messages': [
      'a compaction keeps tokens and at least some messages',
    ],
    'messages of a master after the last tool are answered in the same turn: ${followUpMode}': [
      'followUpMode is one at a time, or all',
    ],
  },
  'plugins/agent/src/session/sessions-config.test.ts': {
    'ends a conversation in a database after seven days without a message by default': [
      'expireMs is seven days in a database',
    ],
    'sends at most 200 messages of a conversation in a database by default': ['maxHistory is 200 in a database'],
    'keeps conversations in memory when the database is not to be used': ['useDatabase decides where sessions are'],
    'starts with the newest messages after a pause': ['coldStartMaxMessages are loaded after a pause'],
    'starts with the messages of a time after a pause, where only the time is configured': [
      'coldStartMaxAgeMs alone bounds the age of messages',
    ],
  },
  'plugins/agent/src/config.test.ts': {
    'warns of removed keys with their replacement, and starts': [
      'chatModel, visionModel, permissionLevel and execAsk were removed, and warn',
    ],
    'takes ${what}': ['what is built in yields to patterns, these to the agent, this to models'],
    'ends an idle conversation, also for readers, ${database': ['expireMs archives an idle epoch'],
  },
  'plugins/agent/src/harness.test.ts': {
    'has the size ${size} for ${model.id}${parameters}': [
      'models of up to 8 billion parameters are small, of up to 32 medium, others and hosted ones large',
    ],
    'asks a model with the settings of its harness': ['a harness may set temperature, options and disabled tools'],
    'runs the configured rounds of tools, and then answers': ['maxIterations bounds the rounds of tools'],
    'finds the configured number of tools by one search': ['deferredToolMaxResults bounds a search'],
  },
  'plugins/agent/src/turn/turns.test.ts': {
    'limit the rate, and report the time of a retry': ['rateLimit counts turns of a user, and says when to come back'],
  },
  'plugins/agent/src/turn/runner.test.ts': {
    'limits the tokens of a user per day, except for masters': ['tokensPerDay bounds a user, and masters are exempt'],
    'mentions the mood of a message, unless that is disabled': ['the mood is one line of the preamble, by rules'],
    'takes in what a master adds, ${mode}': ['steeringMode is one at a time, or all'],
    'logs its phases on request, also by an environment variable': [
      'phases have a prefix in the log, also by a variable',
    ],
  },
  'plugins/agent/src/access/access.test.ts': {
    'limits people without a role to 20 turns an hour, and no others': ['strangersPerHour is 20'],
  },
  'plugins/mcp/src/config.system.test.ts': {
    'reports each mistake with its path': ['servers are a map by name, of a command or an address'],
  },
  'plugins/mcp/src/supervisor.system.test.ts': {
    'does not pass on the environment of the host': ['nothing of the environment of the host passes to a server'],
    'masks secrets that the server repeats, also partly': ['values of env are secret'],
  },
}
