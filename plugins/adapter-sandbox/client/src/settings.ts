// Users and scenes that a person added, and whom they last played where; kept in their browser.
import { keyOf, places, residents, type Scene, type User } from './model.js'

export interface Settings {
  readonly users: readonly User[]
  readonly scenes: readonly Scene[]
  /** Id of the user being played. */
  readonly user: string
  /** Key of the scene, or `private`. */
  readonly scene: string
  readonly raw: boolean
}

const KEY = 'mynah_sandbox'
export const PRIVATE = 'private'
const MAX_ID = 512

const initial: Settings = { users: residents, scenes: places, user: 'alice', scene: PRIVATE, raw: false }

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_ID
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** What was stored, as far as it makes sense. */
export function readSettings(text: string | null): Settings {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? '{}')
  } catch {
    // Somebody else wrote there; it is written over with the next change.
    return initial
  }
  if (!isRecord(stored)) return initial
  const users = list(stored['users']).flatMap(({ id, name }): User[] =>
    isText(id) && isText(name) && !residents.some((user) => user.id === id) ? [{ id, name, own: true }] : [],
  )
  const scenes = list(stored['scenes'])
    .flatMap((item): Scene[] => {
      const { type, id, name, guild } = item
      if (!isText(id) || !isText(name)) return []
      if (type === 'group') return [{ name, own: true, channel: { type, id, name } }]
      return type === 'channel' && isText(guild) ? [makeChannel(guild, id, name)] : []
    })
    .filter((scene) => !places.some((place) => keyOf(place.channel) === keyOf(scene.channel)))
  return settle({
    users: [...residents, ...users],
    scenes: [...places, ...scenes],
    user: isText(stored['user']) ? stored['user'] : initial.user,
    scene: isText(stored['scene']) ? stored['scene'] : initial.scene,
    raw: stored['raw'] === true,
  })
}

/** The text to store. */
export function writeSettings({ users, scenes, user, scene, raw }: Settings): string {
  return JSON.stringify({
    users: users.filter(({ own }) => own).map(({ id, name }) => ({ id, name })),
    scenes: scenes
      .filter(({ own }) => own)
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

/** Settings in which what was chosen is there. */
export function settle(settings: Settings): Settings {
  const user = settings.users.some(({ id }) => id === settings.user) ? settings.user : initial.user
  const scene =
    settings.scene === PRIVATE || settings.scenes.some(({ channel }) => keyOf(channel) === settings.scene)
      ? settings.scene
      : PRIVATE
  return { ...settings, user, scene }
}

export const makeGroup = (id: string, name: string): Scene => ({
  name,
  own: true,
  channel: { type: 'group', id, name },
})

/** A channel of a guild; one of the town bears its name. */
export function makeChannel(guild: string, id: string, name: string): Scene {
  const parent = places.find((place) => place.channel.parent?.id === guild)?.channel.parent ?? {
    type: 'guild' as const,
    id: guild,
    name: guild,
  }
  return { name: `${parent.name ?? guild} #${name}`, own: true, channel: { type: 'channel', id, name, parent } }
}

/** Storage may be switched off; what was chosen then lasts as long as the page. */
export function loadSettings(): Settings {
  try {
    return readSettings(localStorage.getItem(KEY))
  } catch {
    return initial
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, writeSettings(settings))
  } catch {
    // As above: nothing is lost but the memory of it.
    return
  }
}
