/** The tables of the cluster, made by whichever host comes first. Later versions only add. */
export const TABLES = `
CREATE TABLE IF NOT EXISTS cluster_host (
  id text PRIMARY KEY,
  number integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  name text NOT NULL,
  epoch bigint NOT NULL,
  state text NOT NULL,
  beat bigint NOT NULL DEFAULT 0,
  version text NOT NULL,
  started_at bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS cluster_place (
  id text PRIMARY KEY,
  host text,
  epoch bigint NOT NULL DEFAULT 0,
  falls integer NOT NULL DEFAULT 0,
  fell_at timestamptz,
  since timestamptz NOT NULL DEFAULT now()
);`

/** "mync": first key of the advisory locks. The second is 0 for the tables, and else the number of a host. */
export const LOCKS = 0x6d796e63
/** Channel of the notifications about places. */
export const CHANNEL = 'mynah_place'
/** Rounds of a place that fell so often within {@link FALLS_WITHIN} rest for {@link FALLS_REST}. */
export const MAX_FALLS = 3
export const FALLS_WITHIN = '10 minutes'
export const FALLS_REST = '5 minutes'

/** The states of a host in its row. */
export type HostStatus = 'joining' | 'live' | 'leaving' | 'gone' | 'dead'
/** Returns the name of the connections of a host in one epoch, by which others end them. */
export const connectionName = (id: string, epoch: number): string => `mynah ${id} ${epoch}`
