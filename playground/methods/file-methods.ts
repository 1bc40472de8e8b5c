import { argumentsRefusal, type Json, objectsOf, Refusal } from '../slack-json.ts';
import type { Method } from '../slack-method.ts';
import { wireFile } from '../wire-forms.ts';
import { draftOf, type Message } from '../workspace.ts';

/** Uploads in three steps, of which the second is a request to the address the first one gives. */
export const fileMethods: readonly Method[] = [
  /** Step one of an upload. */
  {
    name: 'files.getUploadURLExternal',
    run: (args, { files }) => {
      const [name, length, altText] = [args.required('filename'), args.count('length'), args.text('alt_txt')];
      if (length === undefined) throw argumentsRefusal('missing required field: length');
      const { fileId, uploadUrl } = files.begin({ name, length, ...(altText ? { altText } : {}) });
      return { upload_url: uploadUrl, file_id: fileId };
    },
  },
  /** Step three of an upload: names the files and shares them where asked. */
  {
    name: 'files.completeUploadExternal',
    run: (args, { files, workspace, options }) => {
      const named = objectsOf(args.json('files'));
      if (named.length === 0) throw argumentsRefusal('missing required field: files');
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
  },
  /** One file, and where it is shared. */
  {
    name: 'files.info',
    run: (args, { files, workspace, options }) => {
      const file = files.find(args.required('file'));
      if (!file) throw new Refusal('file_not_found');
      return { file: { ...wireFile(file, options.url()), ...sharesOf(workspace.withFile(file.id)) } };
    },
  },
];

/** By place, with public channels apart from direct conversations. */
function sharesOf(messages: readonly Message[]): Json {
  const isDirect = ({ channel }: Message) => channel.startsWith('D');
  const places = (some: readonly Message[]) => [...new Set(some.map(({ channel }) => channel))];
  const byPlace = (some: readonly Message[]) =>
    Object.fromEntries(
      [...Map.groupBy(some, ({ channel }) => channel)].map(([channel, each]) => [
        channel,
        each.map(({ ts, threadTs }) => ({ ts, ...(threadTs ? { thread_ts: threadTs } : {}) })),
      ]),
    );
  const [direct, open] = [messages.filter(isDirect), messages.filter((message) => !isDirect(message))];
  return {
    channels: places(open),
    groups: [],
    ims: places(direct),
    shares: {
      ...(open.length > 0 ? { public: byPlace(open) } : {}),
      ...(direct.length > 0 ? { private: byPlace(direct) } : {}),
    },
  };
}
