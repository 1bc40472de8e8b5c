import type { DatabaseSync } from 'node:sqlite';
import type { OnUpgrade } from '../upgrade-progress.ts';
import { documentSteps } from './document-steps.ts';
import { giveTenants } from './give-tenants.ts';
import { packDocuments } from './pack-documents.ts';
import { settleHistories } from './settle-histories.ts';
import { typeParameterSets } from './type-parameter-sets.ts';

/** A step of the schema: SQL, or what needs more than that. */
type Migration = string | ((database: DatabaseSync, onUpgrade?: OnUpgrade) => void);

/** Files of this version or an earlier one have a document for each issue, which an upgrade packs. */
export const LAST_UNPACKED_VERSION = documentSteps.length;

/**
 * The schema, one step per version ever released; a step is never edited afterwards. `PRAGMA user_version` counts
 * the steps a file has taken. Steps may call `folded_name`, which the store defines before it takes them.
 */
export const migrations: readonly Migration[] = [
  ...documentSteps,
  packDocuments,
  giveTenants,
  typeParameterSets,
  `
  -- Why a period was skipped, for code; before, it was only in the sentence.
  ALTER TABLE digest_period ADD COLUMN skip_reason TEXT;
  UPDATE digest_period SET skip_reason = CASE message
    WHEN 'It was missed while Dwell was away; the newest three periods were caught up.' THEN 'away'
    WHEN 'It could not be brought before the next three were due; the newest three are.' THEN 'waiting'
    WHEN 'It had not been brought to its end when the digest was changed.' THEN 'changed'
    WHEN 'It had not been brought to its end when the digest was paused.' THEN 'paused'
    ELSE 'day-off' END
  WHERE state = 'skipped';
  `,
  `
  -- Random words, the newest first, that something outside of the database has as well.
  CREATE TABLE stamp (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (tenant, name)
  ) STRICT;
  `,
  settleHistories,
  `
  -- The categories that admins have set. The last row of a status counts; those before it are the record of changes.
  CREATE TABLE status_category (
    tenant TEXT NOT NULL,
    tracker TEXT NOT NULL,
    status TEXT NOT NULL,
    -- Null: taken back.
    category TEXT,
    said_by TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX status_category_status ON status_category (tenant, tracker, status);
  `,
];
