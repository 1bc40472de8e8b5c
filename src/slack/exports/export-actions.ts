import { AppError, badRequestAs } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import { type Principal, principalIn } from '../../model/request.ts';
import type { Click, Person, SlackAction, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { notice, withLead } from '../app/message-texts.ts';
import { showInstead } from '../app/open-view.ts';
import type { ExportParts, PeopleParts, SlackParts } from '../app/parts.ts';
import { lineRefusal, orElse, typedSentences } from '../app/show-failure.ts';
import { explainRefusal, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { nearestLines } from '../ask/ask-command.ts';
import { readExportWords } from '../ask/grammar/read-export.ts';
import { type Example, examplesFor } from '../ask/help.ts';
import { readQuestion } from '../ask/read-question.ts';
import { limits } from '../blocks/limits.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, section } from '../blocks/mrkdwn.ts';
import { resolvePrincipal } from '../people/accounts.ts';
import { completeUpload, conversationId, fileComment, newNote, uploadFile } from './export-notifier.ts';
import { directPlace, exportQuestion } from './request-export.ts';

/** The buttons below lines about files. */
export const exportActions: readonly SlackAction<ExportParts>[] = [
  /** *Stop* on the line about a file that takes a while; its value is the id of the export. */
  {
    id: 'stop-export',
    async run(click, parts) {
      const found = await ownExport(click, parts);
      const stopped =
        found !== null &&
        (await orElse(
          parts.exports.abort(found.principal, found.record.id).then(() => true),
          () => false,
          'export-ended',
        ));
      const outcome = notice(stopped ? 'Stopped. No file was created.' : 'This export has already finished.');
      return showInstead(click, 'Export', outcome, parts);
    },
  },
  /** *Get the file* of an export whose file could not be posted; its value is the id of the export. */
  {
    id: 'get-export-file',
    async run(click, parts) {
      const found = await ownExport(click, parts);
      if (found === null) return [notice('Only the person who requested this file can get it.')];
      const { principal, record } = found;
      if (record.state !== 'Successful') return [notice('This file has expired. Please export again.')];
      const file = await parts.exports.file(principal, record.id);
      const user = click.principal.account;
      try {
        return await sendFileOnce(record.id, click, parts, async () => {
          const channel = await conversationId(user, parts.web);
          const id = await uploadFile(file, { id: record.id, channel, issues: record.total }, parts);
          const place = { channel, threadTs: null };
          const note = newNote(place, { user, userName: click.userName });
          const comment = fileComment(record, note, parts.reporting);
          await completeUpload(id, { title: file.fileName, comment }, place, parts.web);
          return click.place.channel === channel || click.view !== null
            ? []
            : [notice('The file is in our direct messages.')];
        });
      } catch (error) {
        const code = refusalOf(error);
        if (code === null) throw tryAgain(error);
        return [await linkTo(record, explainRefusal(code, error), parts)];
      }
    },
  },
  /** The link to a file on our side: the browser follows it, Slack only wants an answer. */
  {
    id: 'open-export-file',
    run: async () => [],
  },
  /** *Send to me* below the refusal of a file that is not for a channel; its value is what was typed. */
  {
    id: 'send-export',
    run: (click, parts) =>
      sendFileOnce(click.value, click, parts, () => answerExport(`${click.value} to me`, click, parts)),
  },
];

/** A link to our own file, if Slack takes none. */
async function linkTo(
  record: ExportRecord,
  refused: string,
  { baseUrl, exports }: ExportParts,
): Promise<Message> {
  if (baseUrl === null) {
    return notice(refused, 'An admin can set `BASE_URL` so that I can send a link instead.');
  }
  const ticket = encodeURIComponent(await exports.ticket(record, null));
  const url = `${baseUrl}/rest/export/download?ticket=${ticket}`;
  const hint = 'The link works for 15 minutes, for anyone who has it.';
  return {
    text: `<${url}|Download the file>. ${hint}`,
    blocks: [
      section("Slack doesn't take this file, so here is a link to it."),
      actions({ ...button('Download the file', 'open-export-file', 'link'), url, style: 'primary' }),
      context(hint),
    ],
  };
}

/** Null: there is no such export of the person who clicked. */
async function ownExport(
  { principal: { account }, value }: Pick<Person, 'principal'> & Pick<Click, 'value'>,
  parts: ExportParts,
): Promise<{ readonly principal: Principal; readonly record: ExportRecord } | null> {
  for (const principal of await principalsOf(account, parts)) {
    const record = await orElse(parts.exports.get(principal, value), () => null, 'not-found');
    if (record !== null) return { principal, record };
  }
  return null;
}

/** `/tis export`: what any question is about as a file, posted where it was asked for, or to the person alone. */
export const tisExport: SlashCommand<ExportParts> = {
  root: '/tis',
  word: 'export',
  usage: '/tis export [xlsx|xls|csv|json] QUESTION [in UNIT] [to me]',
  summary: 'Any question as a file, posted in this channel or sent to you',
  examples: ['/tis export csv WEB last 30 days', '/tis export weekly WEB', '/tis export WEB to me'],
  details:
    'QUESTION is what comes after `/tis`, such as `WEB last 30 days by assignee`; the words can be in any order. Without a format it is an Excel file (xlsx). UNIT is hours, days, minutes or seconds.',
  answer: (invocation, parts) => answerExport(invocation.text, invocation, parts),
};

async function answerExport(
  typed: string,
  invocation: Person & Pick<SlashInvocation, 'place'>,
  parts: ExportParts,
): Promise<readonly Message[]> {
  const { format, unit, toMe, question: line } = readExportWords(typed);
  const place = toMe ? directPlace(invocation) : invocation.place;
  try {
    if (line === '') throw badRequestAs('missing-value', 'What would you like to export?');
    const { account } = invocation.principal;
    const { question, plain } = await readQuestion(line, account, invocation.place, parts);
    const file = { format: format ?? 'xlsx', unit: unit ?? question.unit ?? 'hours' } as const;
    const posted = await exportQuestion({ ...file, question, asOf: null }, invocation, place, parts);
    const messages = posted.isThere && !toMe ? [] : [posted.message];
    const readAs = plain?.readAs ?? null;
    return readAs === null ? messages : withLead(messages, readAs);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'not-for-this-channel') return [withSendToMe(error, typed)];
    if (!['bad-request', 'not-found'].includes(error.code)) throw error;
    const examples = ({ key, project }: Example) =>
      [`${project} last 30 days`, `weekly ${project}`, `csv ${key} in minutes`].map(
        (one) => `/tis export ${one}`,
      );
    const { account } = invocation.principal;
    const near = (await nearestLines(line, error, account, invocation.place, parts)).lines.map((one) =>
      `/tis export ${typed.replace(line, () => one)}`.trim(),
    );
    const advice = await examplesFor(invocation, near.length > 0 ? () => [] : examples, parts);
    return [lineRefusal(error, `/tis export ${typed}`, typedSentences(error), advice, near)];
  }
}

function withSendToMe(error: AppError, typed: string): Message {
  const refused = notice(error.message, ...error.details);
  // A button carries 2,000 characters.
  if (typed.length > limits.button.value) return refused;
  const elements = [button('Send to me', 'send-export', typed)];
  return { ...refused, blocks: [...refused.blocks, actions(...elements)] };
}

/** Sends a file to a person who clicked for it, once for two clicks in a hurry; what fails can be tried again at once. */
async function sendFileOnce(
  file: string,
  { principal: { account } }: Pick<Person, 'principal'>,
  { shares }: Pick<SlackParts, 'shares'>,
  send: () => Promise<readonly Message[]>,
): Promise<readonly Message[]> {
  if (!(await shares.begin(`file ${file}`, account)))
    return [notice('I sent you this file less than a minute ago, or am about to.')];
  try {
    return await send();
  } catch (error) {
    await shares.forget(`file ${file}`, account);
    throw error;
  }
}

/**
 * The principals an account's exports can belong to: the user it is, and the account alone. A Slack that cannot be reached
 * is `unavailable`: an export that is not found would be taken for gone.
 */
async function principalsOf(account: string, parts: PeopleParts): Promise<readonly Principal[]> {
  const principal = await resolvePrincipal(account, parts);
  return principal.account === account ? [principal] : [principal, principalIn(parts.people.tenant, account)];
}
