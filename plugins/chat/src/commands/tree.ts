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

/** A match and the number of words that it has. */
export interface Match {
  readonly found?: OwnedCommand
  readonly node: { readonly words: readonly string[] }
  readonly words: number
}

const node = (words: readonly string[]): Node => ({ words, children: new Map() })
const wordsOf = (name: string): string[] => name.trim().toLowerCase().split(/\s+/)

/** Commands by the words of their names. The time of a search does not depend on the number of commands. */
export class CommandTree {
  readonly #root = node([])
  readonly #all: OwnedCommand[] = []
  /** Aliases that are not used, since another command has the name. */
  readonly shadowed: { readonly alias: string; readonly owner: string }[] = []

  constructor(all: Iterable<OwnedCommand>) {
    for (const owned of all) {
      this.#all.push(owned)
      this.#at(wordsOf(owned.command.name)).found = owned
    }
    // Names come first, so that an alias never replaces a name.
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

  /** Returns the commands whose names start with these words and have more. */
  below(words: readonly string[]): readonly OwnedCommand[] {
    const prefix = `${words.join(' ').toLowerCase()} `
    return this.#all.filter(({ command }) => command.name.toLowerCase().startsWith(prefix))
  }

  /** Returns the longest name of a command or group that the words start with. */
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

  /** Returns the first words of names and aliases for suggestions. */
  firstWords(passes: (command: Command) => boolean): Set<string> {
    const names = this.#all
      .filter(({ command }) => passes(command))
      .flatMap(({ command }) => [command.name, ...(command.aliases ?? [])])
    return new Set(names.map((name) => wordsOf(name)[0] as string))
  }
}
