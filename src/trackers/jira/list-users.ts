import { askPieces } from './ask-pages.ts';
import type { List } from './list.ts';
import { tellBeside } from './tell-beside.ts';

/** The most both Jiras hand out at once. */
const PIECE = 1000;

/** Everybody who may have changed something: people who left and apps as well. */
export const listUsers: List = async function* ({ client }) {
  const asked =
    (await client.kind()) === 'cloud'
      ? { path: '/users/search' }
      : // A single dot finds everybody there.
        { path: '/user/search', query: { username: '.', includeInactive: 'true' } };
  for await (const users of askPieces(client, asked, PIECE)) yield* tellBeside(users);
};
