/** What whoever runs Dwell types to read why what is kept here is not fresh. */
export const syncCommand = 'npm run --silent dwell -- sync';
