/** The text that explains the archive to the person that opens it. */
export const README = `This archive has everything that an account of Almanac owns.

account.json              the address and the plan
usage.json                the limits of the plan and what is in use
api-keys.json             API keys without their secrets
sessions.json             browsers that are signed in
applications.json         applications that may use the account
feeds.json                feeds without their URLs
webhooks/ID/              each webhook without its secret, with the deliveries of at least 30 days
security-events.json      sign-ins and changes to the account
invitations.json          invitations that wait for an answer
workspaces/NAME/          each workspace with the membership of the account; of its own workspaces
                          also the members, the list of forecasts, the files and the webhooks
forecasts/NAME/           each forecast with its result, its rows, its proof and its outcome
questions/NAME/           each question (event forecast) with its revisions, its history and its proof
screener/ID/              each screener filter with its matches by session
screener/mails.json       emails of the screener and why one was not sent
notifications/            which emails about forecasts are sent, and those that were sent
manifest.json             the number of files, and what could not be included and why

JSON files have the data that the API returns. The API documentation describes the fields: /docs/
CSV files are in UTF-8, with commas. An apostrophe stands before cells that a spreadsheet would
evaluate as a formula. Passwords, keys, tokens and URLs of feeds are not stored in readable form, so
they are not in the archive. The archive is complete if it has manifest.json.
`;
