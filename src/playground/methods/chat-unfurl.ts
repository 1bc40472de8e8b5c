import { checkBlocks } from '../../block-kit/check-blocks.ts';
import { isJson, objectsOf } from '../json.ts';
import type { Method } from '../method.ts';
import { Refusal, refuseProblems } from '../refusal.ts';

/** Shows something of the app below links of a message. */
export const chatUnfurl: Method = {
  name: 'chat.unfurl',
  run: (args, { workspace }) => {
    const { id } = workspace.conversation(args.required('channel'));
    const unfurls = args.json('unfurls');
    const message = workspace.find(id, args.required('ts'));
    if (!message || message.onlyFor !== undefined) throw new Refusal('cannot_unfurl_message');
    if (!isJson(unfurls)) throw new Refusal('invalid_unfurls_format');
    const shown = Object.entries(unfurls).map(([url, unfurl]) => {
      if (!isJson(unfurl)) throw new Refusal('invalid_unfurls_format');
      if (!message.text.includes(url.replaceAll('&', '&amp;'))) throw new Refusal('cannot_find_link');
      const problems = checkBlocks(unfurl.blocks, 'message');
      if (problems.length > 0) throw refuseProblems('invalid_blocks', problems);
      return [url, objectsOf(unfurl.blocks)];
    });
    workspace.unfurl(message, Object.fromEntries(shown));
    return {};
  },
};
