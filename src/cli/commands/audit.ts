import { actorsCalled, auditNames } from '../../api/audit/audit-api.ts';
import { type AuditFilter, auditSubjects, isAuditAction, isOfQuestions } from '../../model/audit.ts';
import { badRequest } from '../../model/error.ts';
import { auditData, auditText } from '../../output/audit-text.ts';
import { createCommand, durationSyntax, isoTime, printable, readDuration } from '../cli-command.ts';

const PAGE = 1000;

/** Prints the audit log: who changed what, what left Dwell and, where that is written, who asked what. */
export const audit = createCommand({
  name: 'audit',
  usage:
    'audit [--since TIME] [--after ID] [--actor NAME] [--action ACTION] [--subject ID] [--questions] [--json]',
  summary: 'show who changed what, and what left Dwell',
  details:
    'The newest is last, and times are in UTC. Changes are always written; who asked what with AUDIT_QUESTIONS=on.',
  options: {
    '--since TIME': `how far back: ${durationSyntax} (default: 7d; with --after: everything)`,
    '--after ID': 'what came after the entry with this id: to go on where the last run ended',
    '--actor NAME':
      'only what someone did, by name or id: a person, a Slack account, or a user of the server',
    '--action ACTION': 'an action such as token.created, or a subject such as token for all of its actions',
    '--subject ID': 'the id of what was changed, such as a token or a calendar',
    '--questions': 'show questions, too, as --action question does',
    '--json':
      'print JSON lines, an object each: { id, at, actor, via, tokenId, requestId, action, subject, facts }, subject as { kind, id }',
  },
  examples: ['audit', 'audit --since 30d --action token', 'audit --after 1796024711937 --questions --json'],
  async run(typed, { audit, people, now, out, jsonLine }) {
    const [after, action, actor] = [typed.value('after'), typed.value('action'), typed.value('actor')];
    const since = typed.value('since') ?? (after === undefined ? '7d' : null);
    const filter: AuditFilter = {
      since: since === null ? undefined : now() - readDuration('--since', since, '7d'),
      actor: actor === undefined ? undefined : await actorsCalled(actor, people),
      action: action === undefined ? undefined : readAction(action),
      subject: typed.value('subject'),
      withQuestions: typed.isOn('questions') || isOfQuestions(action),
    };
    const nameOf = await auditNames(people);
    let found = 0;
    for (let last = after === undefined ? 0 : readId(after), isOver = false; !isOver; ) {
      const page = await audit.read({ ...filter, after: last }, PAGE);
      for (const entry of page) {
        jsonLine(auditData(entry));
        out(printable(`${isoTime(entry.at)}  ${entry.via.padEnd(6)}  ${auditText(entry, nameOf)}`));
      }
      found += page.length;
      last = page.at(-1)?.id ?? last;
      isOver = page.length < PAGE;
    }
    if (found === 0) out('No entries match.');
    const { changes, questions, days } = await audit.reach();
    out(
      `Changes since ${changes === null ? 'now' : isoTime(changes)}, kept ${days.changes === null ? 'for good' : `${days.changes} days`}.`,
    );
    if (questions !== null) out(`Questions since ${isoTime(questions)}, kept ${days.questions} days.`);
    return 0;
  },
});

function readAction(action: string): string {
  if (isAuditAction(action)) return action;
  throw badRequest(
    `--action '${action}' is not known. Try: one such as token.created, or one of ${auditSubjects.join(', ')}.`,
  );
}

function readId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(
    `--after '${text}' is not the id of an entry. Try: one that --json prints, such as 1796024711937.`,
  );
}
