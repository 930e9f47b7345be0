/** One kind of event. Listeners are called in the order in which they were added. */
export class Signal<T> {
  readonly #listeners: ((value: T) => void)[] = []

  add(listener: (value: T) => void): void {
    this.#listeners.push(listener)
  }

  emit(value: T): void {
    for (const listener of this.#listeners) listener(value)
  }
}
