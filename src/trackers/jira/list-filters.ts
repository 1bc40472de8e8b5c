import { askList, askPages } from './ask-pages.ts';
import type { List } from './list.ts';
import { tellBeside } from './tell-beside.ts';

const PAGE = 50;

/** Saved filters; of Data Center's only the favourites of our account, for it lists no others. */
export const listFilters: List = async function* ({ client }) {
  if ((await client.kind()) === 'dataCenter') {
    yield* tellBeside(await askList(client, { path: '/filter/favourite' }));
    return;
  }
  const asked = { path: '/filter/search', query: { expand: 'jql,owner,sharePermissions' } };
  for await (const filters of askPages(client, asked, PAGE)) yield* tellBeside(filters);
};
