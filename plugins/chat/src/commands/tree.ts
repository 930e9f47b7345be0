// Commands by their words: finding the longest name that a message begins with, in time that does not grow with their number.
import type { Command } from '../api/command.js'

/** A command with the plugin that contributed it. */
export interface OwnedCommand {
  readonly command: Command
  readonly owner: string
}

interface Node {
  readonly words: readonly string[]
  readonly children: Map<string, Node>
  found?: OwnedCommand
}

/** A match, and how many words it took. */
export interface Match {
  readonly found?: OwnedCommand
  readonly node: { readonly words: readonly string[] }
  readonly words: number
}

const node = (words: readonly string[]): Node => ({ words, children: new Map() })
const wordsOf = (name: string): string[] => name.trim().toLowerCase().split(/\s+/)

export class CommandTree {
  readonly #root = node([])
  readonly #all: OwnedCommand[] = []
  /** Aliases that could not be used, since another command has the name. */
  readonly shadowed: { readonly alias: string; readonly owner: string }[] = []

  constructor(all: Iterable<OwnedCommand>) {
    for (const owned of all) {
      this.#all.push(owned)
      this.#at(wordsOf(owned.command.name)).found = owned
    }
    // Names first: an alias never takes the place of a name.
    for (const owned of this.#all) {
      for (const alias of owned.command.aliases ?? []) {
        const place = this.#at(wordsOf(alias))
        if (place.found) this.shadowed.push({ alias, owner: owned.owner })
        else place.found = owned
      }
    }
  }

  #at(words: readonly string[]): Node {
    let place = this.#root
    for (const [index, word] of words.entries()) {
      let next = place.children.get(word)
      if (!next) place.children.set(word, (next = node(words.slice(0, index + 1))))
      place = next
    }
    return place
  }

  all(): readonly OwnedCommand[] {
    return this.#all
  }

  get(name: string): OwnedCommand | undefined {
    const words = wordsOf(name)
    const match = this.match(words)
    return match?.words === words.length ? match.found : undefined
  }

  /** Commands whose names begin with these words and go on. */
  below(words: readonly string[]): readonly OwnedCommand[] {
    const prefix = `${words.join(' ').toLowerCase()} `
    return this.#all.filter(({ command }) => command.name.toLowerCase().startsWith(prefix))
  }

  /** The deepest command, or group of commands, that the words begin with. */
  match(words: readonly string[]): Match | undefined {
    let place: Node | undefined = this.#root
    let best: Match | undefined
    for (let index = 0; index < words.length; index++) {
      place = place.children.get((words[index] as string).toLowerCase())
      if (!place) break
      if (place.found) best = { found: place.found, node: place, words: index + 1 }
      else best ??= { node: place, words: index + 1 }
    }
    return best
  }

  /** First words of the names and aliases of commands that pass, for suggestions. */
  firstWords(passes: (command: Command) => boolean): Set<string> {
    const names = this.#all
      .filter(({ command }) => passes(command))
      .flatMap(({ command }) => [command.name, ...(command.aliases ?? [])])
    return new Set(names.map((name) => wordsOf(name)[0] as string))
  }
}
