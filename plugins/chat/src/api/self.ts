/** The account of the bot on the platform. */
export interface Self {
  readonly id?: string
  readonly name?: string
  readonly avatar?: string
}
