import { askList } from './ask-pages.ts';
import type { List } from './list.ts';
import { tellBeside } from './tell-beside.ts';

/** What the fields are called. */
export const listFields: List = async function* ({ client }) {
  yield* tellBeside(await askList(client, { path: '/field' }));
};
