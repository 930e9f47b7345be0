import { readFileSync } from 'node:fs'

/** The page below `docs`, the heading of the answer, and the question. */
type Question = readonly [page: string, heading: string, question: string]

/**
 * Questions about the documentation of this project, with the page that answers each. They were written from the titles
 * of pages and sections alone, before anything was searched, and must not be fitted to the results.
 */
export const questions = JSON.parse(
  readFileSync(new URL('../../src/test/questions.json', import.meta.url), 'utf8'),
) as readonly Question[]
