<%doc>SPDX-License-Identifier: Apache-2.0 - what the report's pages have in common; see report/page.py</%doc>\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${self.title()} · cacheforge</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b4f6c'/%3E%3Cpath d='M3 3h4v4H3zM9 9h4v4H9z' fill='%23f4d35e'/%3E%3Cpath d='M9 3h4v4H9zM3 9h4v4H3z' fill='%23fff' opacity='.35'/%3E%3C/svg%3E">
<style>
${style | n}
</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${next.body()}
<div id="tip" role="status" hidden></div>
<script>
${script | n}
</script>
</body>
</html>
