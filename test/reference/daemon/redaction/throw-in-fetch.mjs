// Loaded into a daemon before it starts: responses of the paths /throw and /reject make its fetch fail unexpectedly,
// with an error that quotes the path.
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

const { request } = http;
http.request = (options, callback) =>
  request(options, (response) => {
    const error = Object.assign(new Error(`while fetching ${options.path}`), {
      input: options.path,
      cause: options.path,
    });
    if (options.path.startsWith("/throw/")) throw error;
    if (options.path.startsWith("/reject/")) Promise.reject(error);
    callback(response);
  });
syncBuiltinESMExports();
