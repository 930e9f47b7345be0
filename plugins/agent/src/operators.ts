/** Roles that may manage conversations and models. */
export const OPERATORS = ['master', 'trusted'] as const
