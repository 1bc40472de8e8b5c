import type { WebClient } from '@slack/web-api';
import type { ExportsApi } from '../../api/exports/exports-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { section } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Principal } from '../../model/principal.ts';
import type { Click, SlackAction } from '../app/handler-types.ts';
import { button, notice } from '../app/message-texts.ts';
import type { ExportParts } from '../app/parts.ts';
import { refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { principalsOf } from '../people/principals.ts';
import { readNote } from './export-notifier.ts';

const PAGE = 100;

/** An export is queued at once after its message was posted; a message that stands alone for longer has none. */
const QUEUEING_MS = 30_000;

/** *Abort* on the progress message of an export; its value is who asked for it. */
export const abortExport: SlackAction<ExportParts> = {
  id: 'abort-export',
  async run(click, parts) {
    const { exports, web } = parts;
    if (click.value !== click.principal.account) {
      return [notice('Only who asked for this export can abort it.')];
    }
    for (const principal of await principalsOf(click.principal.account, parts)) {
      const record = await exportOf(principal, click, exports);
      if (record !== null) return abort(record, principal, exports);
    }
    return [await takeAway(click, web)];
  },
};

const ended = notice('This export has ended already.');

async function abort(
  { id, state }: ExportRecord,
  principal: Principal,
  exports: ExportsApi,
): Promise<readonly Message[]> {
  if (!['Queued', 'Running'].includes(state)) return [ended];
  try {
    await exports.abort(principal, id);
    return [];
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return [ended];
    throw error;
  }
}

/** By its message, for the message is posted before there is an export. */
async function exportOf(
  principal: Principal,
  { place, messageTs }: Click,
  exports: ExportsApi,
): Promise<ExportRecord | null> {
  for (let start = 0; ; start += PAGE) {
    const { records, total } = await exports.list(principal, { start, size: PAGE });
    const found = records.find(({ delivery }) => {
      const note = readNote(delivery);
      return note !== null && note.channel === place.channel && note.messageTs === messageTs;
    });
    if (found !== undefined || start + PAGE >= total) return found ?? null;
  }
}

/** What nobody works on must not look as if somebody did. */
async function takeAway({ place, messageTs, messageAgeMs }: Click, web: WebClient): Promise<Message> {
  if (messageAgeMs < QUEUEING_MS) {
    return notice('This export is only just being queued. Please press Abort again in half a minute.');
  }
  try {
    await web.chat.delete({ channel: place.channel, ts: messageTs });
  } catch (error) {
    if (refusalOf(error) === null) throw tryAgain(error);
    return notice('This export was never queued, or ended days ago; its message can be ignored.');
  }
  return notice('This export was never queued, or ended days ago, so its message is taken away.');
}

/** *Get the file* of an export whose file could not be put into the channel; its value is the id of the export. */
export const getExportFile: SlackAction<ExportParts> = {
  id: 'get-export-file',
  async run({ principal: { account }, value }, parts) {
    const { exports, baseUrl } = parts;
    for (const principal of await principalsOf(account, parts)) {
      const record = await exports.get(principal, value).catch(unlessMissing);
      if (record === null) continue;
      if (record.state !== 'Successful') return [notice('The file is not kept any more. Please ask again.')];
      if (baseUrl === null) {
        return [
          notice(
            'I cannot link to the file: this Dwell has no address that others reach. An admin can set `BASE_URL`.',
            `Over REST the file is that of \`/rest/export/${record.id}\`.`,
          ),
        ];
      }
      const ticket = encodeURIComponent(await exports.ticket(record, null));
      return [fileLink(`${baseUrl}/rest/export/download?ticket=${ticket}`)];
    }
    return [notice('Only who asked for this file can get it, and only while it is kept.')];
  },
};

function unlessMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not-found') return null;
  throw error;
}

/** The link to a file that is kept on our side: the browser follows it, Slack only wants to be heard. */
export const openExportFile: SlackAction<object> = {
  id: 'open-export-file',
  run: async () => [],
};

/** The address of a file that is kept on our side, for whoever asked for it. */
function fileLink(link: string): Message {
  const hint = 'The link works for 15 minutes, for whoever has it.';
  return {
    text: `<${link}|Download the file>. ${hint}`,
    blocks: [
      section(hint),
      {
        type: 'actions',
        elements: [
          { ...button('Download the file', 'open-export-file', 'link'), url: link, style: 'primary' },
        ],
      },
    ],
  };
}
