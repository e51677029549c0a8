import importlib
import os
import pkgutil

import openapi_client
from openapi_client import ApiClient, CommerceApi, Configuration, CreateProductBody

# The generator writes no types into the file of the webhooks, which nothing imports.
for module in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    if module.name != "openapi_client.api.events_api":
        importlib.import_module(module.name)

configuration = Configuration(host=os.environ["API_URL"], access_token=os.environ["API_KEY"])
created = CommerceApi(ApiClient(configuration)).create_product(CreateProductBody(name="A course"))
print("called", created.data.id)
