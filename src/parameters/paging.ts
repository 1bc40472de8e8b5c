import { notHere, text, wholeNumber } from './parameter.ts';

const pageSize = wholeNumber(1, 1000)
  .default(100)
  .meta({ description: 'How many issues a page has at most.' });

/** Pages by the index of their first issue. */
export const indexPaging = {
  pageSize,
  startIssueIndex: wholeNumber(0, 1_000_000_000)
    .default(0)
    .meta({ description: 'Index of the first issue of the page, counted from 0.' }),
  nextPageToken: notHere('belongs to /rest/issues/v2; allowed here: startIssueIndex'),
};

/** Pages by what the page before handed out. */
export const tokenPaging = {
  pageSize,
  nextPageToken: text.optional().meta({
    description: 'What the page before gave as nextPageToken; without it the first page is answered.',
  }),
  startIssueIndex: notHere('belongs to /rest/issues; allowed here: nextPageToken'),
};
