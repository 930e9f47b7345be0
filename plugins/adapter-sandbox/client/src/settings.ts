// Users and scenes that a person added, and the selected ones. The browser stores them.
import { channelKey, DEFAULT_SCENES, DEFAULT_USERS, type Scene, type SandboxUser } from './model.js'

export interface Settings {
  readonly users: readonly SandboxUser[]
  readonly scenes: readonly Scene[]
  /** Id of the selected user. */
  readonly user: string
  /** Key of the selected scene, or `private`. */
  readonly scene: string
  readonly raw: boolean
}

const KEY = 'mynah_sandbox'
export const PRIVATE = 'private'
const MAX_ID = 512

const DEFAULT_SETTINGS: Settings = {
  users: DEFAULT_USERS,
  scenes: DEFAULT_SCENES,
  user: 'alice',
  scene: PRIVATE,
  raw: false,
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_ID
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Parses stored settings. Invalid parts are left out. */
export function parseSettings(text: string | null): Settings {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? '{}')
  } catch {
    // The next change replaces an unreadable value.
    return DEFAULT_SETTINGS
  }
  if (!isRecord(stored)) return DEFAULT_SETTINGS
  const users = list(stored['users']).flatMap(({ id, name }): SandboxUser[] =>
    isText(id) && isText(name) && !DEFAULT_USERS.some((user) => user.id === id) ? [{ id, name, custom: true }] : [],
  )
  const scenes = list(stored['scenes'])
    .flatMap((item): Scene[] => {
      const { type, id, name, guild } = item
      if (!isText(id) || !isText(name)) return []
      if (type === 'group') return [{ name, custom: true, channel: { type, id, name } }]
      return type === 'channel' && isText(guild) ? [channelScene(guild, id, name)] : []
    })
    .filter((scene) => !DEFAULT_SCENES.some(({ channel }) => channelKey(channel) === channelKey(scene.channel)))
  const user = isText(stored['user']) ? stored['user'] : DEFAULT_SETTINGS.user
  const settings = {
    users: [...DEFAULT_USERS, ...users],
    scenes: [...DEFAULT_SCENES, ...scenes],
    user,
    scene: isText(stored['scene']) ? stored['scene'] : DEFAULT_SETTINGS.scene,
    raw: stored['raw'] === true,
  }
  // The user may be one that the host gives a role, which is not known yet.
  return withValidSelection(settings, [{ id: user, name: user }])
}

/** Returns the text to store. */
export function serializeSettings({ users, scenes, user, scene, raw }: Settings): string {
  return JSON.stringify({
    users: users.filter(({ custom }) => custom).map(({ id, name }) => ({ id, name })),
    scenes: scenes
      .filter(({ custom }) => custom)
      .map(({ channel: { type, id, parent, name } }) => ({
        type,
        id,
        name: name ?? id,
        ...(parent ? { guild: parent.id } : {}),
      })),
    user,
    scene,
    raw,
  })
}

/** Returns settings whose selected user, one of `people`, and scene exist. */
export function withValidSelection(settings: Settings, people: readonly SandboxUser[] = settings.users): Settings {
  const isKnown = [...people, ...settings.users].some(({ id }) => id === settings.user)
  const user = isKnown ? settings.user : DEFAULT_SETTINGS.user
  const scene =
    settings.scene === PRIVATE || settings.scenes.some(({ channel }) => channelKey(channel) === settings.scene)
      ? settings.scene
      : PRIVATE
  return { ...settings, user, scene }
}

export const groupScene = (id: string, name: string): Scene => ({
  name,
  custom: true,
  channel: { type: 'group', id, name },
})

/** Returns a scene in a guild. A default guild keeps its name. */
export function channelScene(guild: string, id: string, name: string): Scene {
  const parent = DEFAULT_SCENES.find(({ channel }) => channel.parent?.id === guild)?.channel.parent ?? {
    type: 'guild' as const,
    id: guild,
    name: guild,
  }
  return { name: `${parent.name ?? guild} #${name}`, custom: true, channel: { type: 'channel', id, name, parent } }
}

/** Loads the settings. Where the browser stores nothing, they last as long as the page. */
export function loadSettings(): Settings {
  try {
    return parseSettings(localStorage.getItem(KEY))
  } catch {
    return DEFAULT_SETTINGS
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, serializeSettings(settings))
  } catch {
    // The browser stores nothing.
    return
  }
}
