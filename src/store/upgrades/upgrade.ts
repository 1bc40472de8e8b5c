import type { DatabaseSync } from 'node:sqlite';
import { readParameters } from '../../api/parameters/saved-report.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import { CHANGING_TABLES, type OnUpgrade } from '../store.ts';
import { documentSteps } from './document-steps.ts';
import { giveTenants } from './give-tenants.ts';
import { packDocuments, settleHistories } from './packed-steps.ts';

/** A parameter set as it was stored: request parameters by name, as they were given. */
type UntypedSet = Omit<ParameterSet, 'report'> & {
  readonly parameters?: Readonly<Record<string, unknown>> | null;
};

/** Makes reports of the parameters that sets were stored as, those that a tracker brought along included. */
function typeParameterSets(database: DatabaseSync): void {
  database.function('typed_set', (document) => {
    const { parameters, ...set }: UntypedSet = JSON.parse(String(document));
    return JSON.stringify(
      parameters === undefined ? set : { ...set, report: readParameters(parameters ?? {}) },
    );
  });
  database.exec(`
    UPDATE parameter_set SET document = typed_set(document);
    UPDATE directory_entry SET document = typed_set(document) WHERE kind = 'parameterSets';
  `);
}

/** A step of the schema: SQL, or what needs more than that. */
type Migration = string | ((database: DatabaseSync, onUpgrade?: OnUpgrade) => void);

/**
 * The schema, one step per version ever released; what a step makes is never another thing afterwards. `PRAGMA
 * user_version` counts the steps a file has taken. Steps may call `folded_name`, which the store defines before it takes them.
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

/** The rows beside issues that had tables of their own become documents; the issues stay. */
const takeOverIssues = `
  INSERT INTO area (tenant, area, revision, word)
  SELECT tenant, 'issues ' || tracker, max(revision), hex(randomblob(9))
  FROM (
    SELECT tenant, tracker, revision FROM issue UNION ALL SELECT tenant, tracker, revision FROM issue_removed)
  GROUP BY tenant, tracker;
  INSERT INTO area (tenant, area, revision, word)
  SELECT tenant, 'people ' || tracker, 1, hex(randomblob(9)) FROM user GROUP BY tenant, tracker;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'facts ' || tracker, 'filled', 1, CAST(at AS TEXT) FROM fill;
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'facts ' || tracker, 'history values', 2, json_quote(document)
  FROM directory_entry WHERE kind = 'historyValues';
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'sync ' || tracker, 'state', 1, document FROM sync_state;
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'sync ' || tracker, 'lease', 2, json_object('holder', holder, 'until', held_until) FROM sync_lease;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'directory ' || tracker, kind, min(place), json_object('kind', kind, 'entries', json_group_array(json_object(
    'id', id, 'isListed', json(iif(listed = 1, 'true', 'false')), 'value', json(document))))
  FROM (SELECT rowid AS place, * FROM directory_entry WHERE kind <> 'historyValues' ORDER BY rowid)
  GROUP BY tenant, tracker, kind;
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'statuses ' || tracker, ifnull(listed, ''), min(place), json_object('list', ifnull(listed, ''), 'statuses', json_group_array(json_object(
    'id', id, 'name', name, 'category', category, 'scope', scope, 'place', place)))
  FROM (SELECT rowid AS place, * FROM status ORDER BY rowid)
  GROUP BY tenant, tracker, ifnull(listed, '');
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'status categories ' || tracker, status, min(place), json_object(
    'status', status, 'settings', json_group_array(json_object('category', category, 'by', said_by, 'at', at)))
  FROM (SELECT rowid AS place, * FROM status_category ORDER BY rowid)
  GROUP BY tenant, tracker, status;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'rejected ' || tracker, tracker_id, row_number() OVER (ORDER BY tried_at, tracker_id), json_object(
    'id', tracker_id, 'key', key, 'reason', reason, 'updated', source_updated, 'triedAt', tried_at,
    'pauseMs', pause_ms)
  FROM issue_rejected;

  -- An older process that still runs writes to no table of these any more: it would not raise their area.
  INSERT INTO issue_gone (tenant, tracker, key, revision) SELECT tenant, tracker, key, revision FROM issue_removed;
  DROP TABLE issue_removed;

  DROP TABLE fill;
  DROP TABLE issue_rejected;
  DROP TABLE sync_state;
  DROP TABLE sync_lease;
  DROP TABLE directory_entry;
  DROP TABLE status;
  DROP TABLE status_category;
  DROP TABLE user_revision;
`;

/**
 * Moves what an older store kept in tables of their own: calendars, parameter sets, tokens, secrets, links of accounts, and
 * what was set by name: the client key, and who may do what with delegations. What a column put in order keeps that order.
 */
const takeOverSettings = `
  INSERT INTO document (tenant, kind, id, added, name, document)
  SELECT tenant, 'calendar', CAST(id AS TEXT), row_number() OVER (PARTITION BY tenant ORDER BY id), folded,
    json_set(document, '$.id', id)
  FROM calendar;
  INSERT INTO last_number (tenant, kind, number)
  SELECT tenant, 'calendar', id FROM last_id WHERE tracker = '' AND kind = 'calendar';

  INSERT INTO document (tenant, kind, id, added, name, document)
  SELECT tenant, 'parameter-set', id, row_number() OVER (PARTITION BY tenant ORDER BY rowid),
    owner || char(10) || folded, document
  FROM parameter_set;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'token', id, row_number() OVER (PARTITION BY tenant ORDER BY created_at, id),
    json_object('id', id, 'user', user, 'admin', json(iif(admin = 1, 'true', 'false')), 'createdAt', created_at,
      'expiresAt', expires_at, 'active', json(iif(active = 1, 'true', 'false')))
  FROM token;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'secret', name, row_number() OVER (PARTITION BY tenant ORDER BY name), json_quote(value)
  FROM secret;

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'fact', name, 1, document FROM setting WHERE name = 'client-key';
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'delegation-permissions', substr(name, length('delegation-permissions ') + 1),
    row_number() OVER (PARTITION BY tenant ORDER BY name), document
  FROM setting WHERE name LIKE 'delegation-permissions %';

  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'links ' || tracker, account, row_number() OVER (PARTITION BY tenant, tracker ORDER BY account),
    json_object('revision', revision, 'link', json(iif(user IS NULL, 'null', json_object(
      'account', account, 'user', user, 'by', said_by, 'at', at, 'proof', json(iif(token IS NULL, 'null', json_object(
        'token', token, 'admin', json(iif(token_admin = 1, 'true', 'false')))))))))
  FROM person_link;

  DROP TABLE calendar;
  DROP TABLE parameter_set;
  DROP TABLE token;
  DROP TABLE secret;
  DROP TABLE setting;
  DROP TABLE person_link;
`;

/** The rows of the versions of a delegation become one document; so do categories, which are listed before them. */
const takeOverDelegations = `
  INSERT INTO document (tenant, kind, id, added, name, document)
  SELECT tenant, 'delegations ' || tracker, series || ' ' || id,
    row_number() OVER (PARTITION BY tenant, tracker ORDER BY series, id), name, document
  FROM (
    SELECT tenant, tracker, 'category' AS series, id, folded AS name,
      json_object('category', json_object('id', id, 'name', name, 'description', description)) AS document
    FROM delegation_category
    UNION ALL
    SELECT tenant, tracker, 'delegation', id, NULL,
      json_object('versions', json_group_array(
        json_set(document, '$.id', id, '$.version', version, '$.savedBy', saved_by, '$.savedAt', saved_at)
        ORDER BY version))
    FROM delegation GROUP BY tenant, tracker, id);

  INSERT INTO last_number (tenant, kind, number)
  SELECT tenant, 'delegations ' || tracker || ' ' || kind, id FROM last_id WHERE kind IN ('category', 'delegation');

  DROP TABLE delegation;
  DROP TABLE delegation_category;
  DROP TABLE last_id;
`;

/** Stamps by name; copies that are being written were among them, under the empty tenant. */
const takeOverStamps = `
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'stamp', name, row_number() OVER (PARTITION BY tenant ORDER BY name), words
  FROM stamp WHERE tenant <> '';
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'copy', substr(name, length('copy ') + 1), row_number() OVER (ORDER BY name), words
  FROM stamp WHERE tenant = '' AND name LIKE 'copy %';
  DROP TABLE stamp;
`;

/** Moves watches and snoozes of a store of 0.8 among the documents; what watches alerted people to stays where it is. */
const takeOverWatches = `
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'watches', id, row_number() OVER (PARTITION BY tenant ORDER BY rowid), document
  FROM watch;

  -- All of an account are one document.
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'snoozes', account, row_number() OVER (PARTITION BY tenant ORDER BY account),
    json_group_array(
      json_object('account', account, 'key', key, 'since', since, 'until', until) ORDER BY key, since
    )
  FROM snooze GROUP BY tenant, account;

  DROP TABLE watch;
  DROP TABLE snooze;
`;

/** Small state gets its namespace, which its key begins with, and an order of its own; it stays where it is in the file. */
const takeOverCache = `
  DROP TABLE cache_entry;
  DROP INDEX cache_expiry;
  ALTER TABLE cache RENAME TO cache_entry;
  ALTER TABLE cache_entry ADD COLUMN namespace TEXT NOT NULL DEFAULT '';
  ALTER TABLE cache_entry ADD COLUMN added INTEGER NOT NULL DEFAULT 0;
  UPDATE cache_entry SET namespace = substr(key, 1, instr(key, ':') - 1), added = rowid;
  CREATE INDEX cache_entry_order ON cache_entry (tenant, namespace, added);
  CREATE INDEX cache_entry_expiry ON cache_entry (tenant, expires_at) WHERE expires_at IS NOT NULL;
`;

/** Moves queued exports of an older store; what was added first stays first. */
const takeOverExports = `
  INSERT INTO work (tenant, kind, id, owner, added, open, planned_for, not_before, holder, held_until, served, document)
  SELECT tenant, 'export', id, account, row_number() OVER (PARTITION BY tenant ORDER BY rowid),
    CASE
      WHEN state IN ('Queued', 'Running') THEN 'make'
      WHEN delivery_pending = 1 THEN 'deliver ' || json_extract(delivery, '$.door')
      WHEN state = 'Successful' THEN 'has file'
    END,
    created_at, not_before, holder, held_until, served,
    json_object('id', id, 'input', json(wish), 'state', state, 'createdAt', created_at, 'completed', completed,
      'total', total, 'message', message, 'fileName', file_name, 'bytes', bytes, 'provenance', json(provenance),
      'scope', json(scope), 'finishedAt', finished_at, 'expiresAt', expires_at, 'delivery', json(delivery),
      'attempts', attempts)
  FROM export;

  INSERT INTO area (tenant, area, revision, word)
  SELECT tenant, 'work export', count(*), lower(hex(randomblob(6))) FROM export GROUP BY tenant;

  DROP TABLE export;
`;

/** Moves digests and their periods of an older store; periods are in the order in which they were due. */
const takeOverDigests = `
  INSERT INTO document (tenant, kind, id, added, document)
  SELECT tenant, 'digest', id, row_number() OVER (PARTITION BY tenant ORDER BY rowid),
    json_set(document, '$.id', id, '$.owner', owner, '$.paused', json(iif(paused = 1, 'true', 'false')),
      '$.nextDue', next_due)
  FROM digest;

  INSERT INTO work (tenant, kind, id, owner, added, open, planned_for, not_before, holder, held_until, served, document)
  SELECT tenant, 'digest-period', digest || ' ' || due, digest,
    row_number() OVER (PARTITION BY tenant ORDER BY due, digest),
    CASE
      WHEN state = 'claimed' THEN 'post'
      WHEN state = 'failed' AND json_extract(note, '$.told') IS NULL THEN 'report'
    END,
    iif(state = 'claimed', planned_for, due), not_before, holder, held_until, 0,
    json_object('run', json_object('digestId', digest, 'due', due, 'state', state, 'note', json(note),
      'attempts', attempts, 'message', message, 'skipReason', skip_reason, 'finishedAt', finished_at),
      'plannedFor', planned_for)
  FROM digest_period;

  INSERT INTO area (tenant, area, revision, word)
  SELECT tenant, 'work digest-period', count(*), lower(hex(randomblob(6))) FROM digest_period GROUP BY tenant;

  DROP TABLE digest_period;
  DROP TABLE digest;
`;

const rooms = [
  ...[takeOverIssues, takeOverSettings, takeOverDelegations],
  ...[takeOverStamps, takeOverWatches, takeOverCache, takeOverExports, takeOverDigests],
];

/** Takes the steps that a file lacks of the schema as it was before kysely wrote it. */
export function takeOlderSteps(
  database: DatabaseSync,
  {
    version,
    lastVersion,
    onUpgrade,
  }: { readonly version: number; readonly lastVersion: number; readonly onUpgrade: OnUpgrade },
): void {
  // SQLite itself knows the case of ASCII letters only.
  database.function('folded_name', { deterministic: true }, (name) => foldedName(String(name)));
  for (const [i, step] of migrations.entries()) {
    if (i < version) continue;
    onUpgrade({ step: CHANGING_TABLES, done: i, of: lastVersion });
    if (typeof step === 'string') database.exec(step);
    else step(database, onUpgrade);
  }
}

/** Has what older tables have go to those of the first schema of kysely. */
export function takeOver(database: DatabaseSync): void {
  for (const room of rooms) database.exec(room);
  database.exec(`
    INSERT INTO area (tenant, area, revision, word)
    SELECT tenant, kind, max(added), hex(randomblob(9)) FROM document WHERE true GROUP BY tenant, kind
    ON CONFLICT (tenant, area) DO UPDATE SET revision = max(area.revision, excluded.revision)
  `);
}
