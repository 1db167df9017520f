from weps.clusterer import PeopleClusterer as PeopleClusterer
from weps.corrections.model import Corrections as Corrections
from weps.errors import WepsError as WepsError
from weps.features.registry import load_plugin as load_plugin
from weps.features.registry import register_feature as register_feature
from weps.model import Model as Model
from weps.model import ModelSet as ModelSet
from weps.model import load as load
from weps.model import pretrained as pretrained
from weps.people.answer import Answer as Answer
from weps.people.answer import Person as Person
from weps.reading import Reader as Reader
from weps.records import Clustering as Clustering
from weps.records import Document as Document
from weps.records import Page as Page
from weps.records import Search as Search
from weps.results.result import Result as Result
from weps.results.result import cluster as cluster
from weps.results.result import update as update
from weps.results.stored import read_result as read_result
from weps.sources.base import Source as Source
from weps.sources.opening import open_source as open_source
from weps.training import train as train

__version__: str
