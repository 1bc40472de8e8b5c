import type { Instant } from './issue.ts';

/** The ways by which something is done: a door, the clock that posts what is due, or Dwell by itself. */
type AuditVia = 'slack' | 'rest' | 'mcp' | 'cli' | 'clock' | 'system';

/** The one who does something: an account of the door, the door, and the token and the request where there are any. */
export interface Actor {
  /** Null where no person is known. */
  readonly account: string | null;
  readonly via: AuditVia;
  readonly tokenId: string | null;
  readonly requestId: string | null;
}

/** The subjects that an entry of the audit log can have. */
export const auditSubjects = [
  'access',
  'alert',
  'answer',
  'calendar',
  'category',
  'channel',
  'database',
  'delegation',
  'delegation-permissions',
  'digest',
  'export',
  'file',
  'flow',
  'link',
  'nudge',
  'parameter-set',
  'person',
  'posts',
  'preview',
  'question',
  'secret',
  'settings',
  'status-category',
  'token',
  'tracker',
  'watch',
] as const;
export type AuditSubject = (typeof auditSubjects)[number];

/** The verbs of the audit log. */
const auditVerbs = [
  'answered',
  'changed',
  'connected',
  'created',
  'downloaded',
  'erased',
  'exported',
  'owner-changed',
  'paused',
  'posted',
  'removed',
  'restored',
  'resumed',
  'rotated',
  'shared',
  'turned-off',
  'turned-on',
] as const;
export type AuditVerb = (typeof auditVerbs)[number];

/** Values before and after a change; of a list, what came and what went; `isOther`: it changed, and is not repeated. */
export type AuditChange =
  | { readonly isOther: true }
  | { readonly from: unknown; readonly to: unknown }
  | { readonly added: readonly unknown[]; readonly removed: readonly unknown[] };

/**
 * The facts of an entry, as JSON: no secrets, no texts of reasons or comments, no titles of issues. Ids of accounts and of
 * the tracker's users are under `people` alone, each a text of its own, or the subject of a `link` or an `alert`.
 */
export interface AuditFacts {
  readonly name?: string;
  readonly people?: Readonly<Record<string, unknown>>;
  readonly changed?: Readonly<Record<string, AuditChange>>;
  readonly [fact: string]: unknown;
}

/** Something that was done, as it is to be written to the audit log. */
export interface AuditEvent {
  readonly subject: { readonly kind: AuditSubject; readonly id: string };
  readonly verb: AuditVerb;
  readonly facts: AuditFacts;
  /** The one who did it; by default the one whose work is under way. */
  readonly actor?: Actor;
  /** When it was done; by default now. */
  readonly at?: Instant;
}

/** An entry of the audit log as it was stored, perhaps by another version. Ids rise in the order in which entries come into sight. */
export interface AuditEntry {
  readonly id: number;
  readonly at: Instant;
  readonly actor: string | null;
  readonly via: string;
  readonly tokenId: string | null;
  readonly requestId: string | null;
  /** Subject and verb, such as `token.created`. */
  readonly action: string;
  /** The id of the subject. */
  readonly subject: string;
  readonly facts: AuditFacts;
}

/** The action of questions, which are written only where that is switched on, and are kept for a time of their own. */
export const QUESTION_ACTION = 'question.answered';

/** A selection of entries: those that meet every given condition. */
export interface AuditFilter {
  /** Only entries with a larger id. */
  readonly after?: number | undefined;
  /** Entries from an instant on, and before one. */
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
  /** An account or a user, or several of them. */
  readonly actor?: string | readonly string[] | undefined;
  /** An action, or a subject for all of its actions. */
  readonly action?: string | undefined;
  /** The id of a subject. */
  readonly subject?: string | undefined;
  /** False: without questions. */
  readonly withQuestions?: boolean | undefined;
}

/** Returns true for a subject, and for a subject and a verb with a dot between them. */
export function isAuditAction(action: string): boolean {
  const [kind, verb, ...others] = action.split('.');
  const isKnown = (words: readonly string[], word: string | undefined) => words.some((one) => one === word);
  return (
    isKnown(auditSubjects, kind) && others.length === 0 && (verb === undefined || isKnown(auditVerbs, verb))
  );
}

/** Returns true for an action that only questions have; undefined stands for all actions. */
export function isOfQuestions(action: string | undefined): boolean {
  return action?.split('.')[0] === 'question';
}
