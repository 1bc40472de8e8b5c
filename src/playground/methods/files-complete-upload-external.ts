import { draftOf } from '../draft.ts';
import { objectsOf } from '../json.ts';
import type { Method } from '../method.ts';
import { Refusal, refuseArguments } from '../refusal.ts';
import { wireFile } from '../wire-message.ts';

/** Step three of an upload: names the files and shares them where asked. */
export const filesCompleteUploadExternal: Method = {
  name: 'files.completeUploadExternal',
  run: (args, { files, workspace, options }) => {
    const named = objectsOf(args.json('files'));
    if (named.length === 0) throw refuseArguments('missing required field: files');
    const place = args.text('channel_id') ?? args.text('channels')?.split(',')[0];
    const channel = place === undefined ? undefined : workspace.conversation(place).id;
    if (channel && !workspace.isMember(channel)) throw new Refusal('not_in_channel');
    const [text, blocks, threadTs] = [
      args.text('initial_comment'),
      args.json('blocks'),
      args.text('thread_ts'),
    ];
    if (channel && threadTs && !workspace.find(channel, threadTs)) throw new Refusal('thread_not_found');
    const draft = text === undefined && blocks === undefined ? { text: '' } : draftOf(text, blocks);
    const complete = named.map(({ id, title }) =>
      files.complete(String(id), title === undefined ? undefined : String(title)),
    );
    if (channel) workspace.post(channel, { ...draft, files: complete, ...(threadTs ? { threadTs } : {}) });
    return { files: complete.map((file) => wireFile(file, options.url())) };
  },
};
