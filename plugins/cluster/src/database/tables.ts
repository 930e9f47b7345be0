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
);
ALTER TABLE cluster_host ADD COLUMN IF NOT EXISTS offers text[] NOT NULL DEFAULT '{}';
ALTER TABLE cluster_host ADD COLUMN IF NOT EXISTS drains boolean NOT NULL DEFAULT false;
ALTER TABLE cluster_place ADD COLUMN IF NOT EXISTS wanted text;
ALTER TABLE cluster_host ADD COLUMN IF NOT EXISTS config bigint;
ALTER TABLE cluster_host ADD COLUMN IF NOT EXISTS config_problem text;
ALTER TABLE cluster_host ADD COLUMN IF NOT EXISTS waits_for text;
ALTER TABLE cluster_host ADD COLUMN IF NOT EXISTS packages jsonb;
CREATE TABLE IF NOT EXISTS cluster_upgrade (version text PRIMARY KEY, at bigint NOT NULL);
CREATE TABLE IF NOT EXISTS config_revision (
  rev bigint PRIMARY KEY,
  parent bigint NOT NULL UNIQUE,
  sha text NOT NULL,
  body text NOT NULL,
  author text NOT NULL,
  at bigint NOT NULL
);
CREATE SEQUENCE IF NOT EXISTS shared_file_rev;
CREATE TABLE IF NOT EXISTS shared_file (
  path text PRIMARY KEY,
  rev bigint NOT NULL,
  sha text,
  body bytea,
  executable boolean NOT NULL DEFAULT false
);`

/** "mync": first key of the advisory locks. The second is 0 for the tables, and else the number of a host. */
export const LOCKS = 0x6d796e63
/** Channel of the notifications about events of the stream. */
export const STREAM = 'mynah_stream'
/** "mynd": first key of the locks that the connections which beat and look hold. The second is the number of a host. */
export const CONTROL_LOCKS = 0x6d796e64
/** Channel of the notifications about places. */
export const CHANNEL = 'mynah_place'
/** Channel of the notifications about revisions of the configuration. */
export const CONFIGURATION = 'mynah_config'
/** Rounds of a place that fell so often within {@link FALLS_WITHIN} rest for {@link FALLS_REST}. */
export const MAX_FALLS = 3
export const FALLS_WITHIN = '10 minutes'
export const FALLS_REST = '5 minutes'

/** The states of a host in its row. */
export type HostStatus = 'joining' | 'live' | 'leaving' | 'gone' | 'dead'
/** Returns the name of the connections of a host in one epoch, by which others end them. */
export const connectionName = (id: string, epoch: number): string => `mynah ${id} ${epoch}`
