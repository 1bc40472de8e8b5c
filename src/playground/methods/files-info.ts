import type { Json } from '../json.ts';
import type { Message } from '../message.ts';
import type { Method } from '../method.ts';
import { Refusal } from '../refusal.ts';
import { wireFile } from '../wire-message.ts';

/** One file, and where it is shared. */
export const filesInfo: Method = {
  name: 'files.info',
  run: (args, { files, workspace, options }) => {
    const file = files.find(args.required('file'));
    if (!file) throw new Refusal('file_not_found');
    return { file: { ...wireFile(file, options.url()), ...sharesOf(workspace.withFile(file.id)) } };
  },
};

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
