import type { Section } from '../config/model.js'

/** Returns the sections that a plugin claims. */
export const sectionsOfPlugin = (sections: readonly Section[], name: string): Section[] =>
  sections.filter(({ plugin }) => plugin === name)
